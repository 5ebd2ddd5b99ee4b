-- Returns one row for each withdrawal, the oldest first.
select
    path,
    encode(sha256, 'hex') as sha256,
    csv_instant(withdrawn_at) as withdrawn_at,
    withdrawn_by,
    because,
    case
        when undone_at is null then 'withdrawn'
        else
            'counts again since ' || csv_instant(undone_at)
            || ' (' || undone_by || coalesce(': ' || undone_because, '') || ')'
    end as state
from withdrawal
order by withdrawal_id
