-- Returns one row for each of the newest entries of the journal, the newest last.
--
-- Takes  $1: the number of entries.
select
    csv_instant(newest.at) as at,
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
