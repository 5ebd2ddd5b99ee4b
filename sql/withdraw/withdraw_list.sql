-- Returns one row for each withdrawal, the oldest first.
select
    path,
    encode(sha256, 'hex') as sha256,
    to_char(withdrawn_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as withdrawn_at,
    withdrawn_by,
    because,
    case
        when undone_at is null then 'withdrawn'
        else
            'counts again since '
            || to_char(undone_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
            || ' (' || undone_by || coalesce(': ' || undone_because, '') || ')'
    end as state
from withdrawal
order by withdrawal_id
