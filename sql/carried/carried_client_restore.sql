-- The restores that clients tell of: how many an app version made on a device at an instant.
select
    coalesce(app_version, 'unknown') as app_version,
    device_id,
    occurred_at,
    count(*) as restores
from claim
where is_configured and state = 'restored' and device_id is not null
group by coalesce(app_version, 'unknown'), device_id, occurred_at
