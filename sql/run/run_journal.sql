-- Returns one row for each of the newest entries of the journal, the newest last.
--
-- Takes  $1: the number of entries.
select
    to_char(newest.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at,
    newest.person,
    newest.act,
    newest.subject,
    newest.detail
from (
    select
        entry_id,
        at,
        person,
        act,
        subject,
        detail
    from journal
    order by entry_id desc
    limit $1::bigint
) as newest
order by newest.entry_id
