-- Returns one row for each app version, device and instant with restores that apps report, and their number.
select
    coalesce(app_version, 'unknown') as app_version,
    device_id,
    occurred_at,
    count(*) as restores
from claim
where is_configured and state = 'restored' and device_id is not null
group by coalesce(app_version, 'unknown'), device_id, occurred_at
