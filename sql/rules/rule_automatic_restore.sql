-- Automatic restore: an app that restores by itself, where Apple asks apps to wait for the customer.
--
-- Finds      app versions under which a device restored on three days or more, in the configured time
--            zone, within the restore window before as-of.
-- Leaves out restores without a device: nobody can say whether they repeat.
--
-- Gives  level, environment, subject, reason, detail
with

restoring_device as (

    select
        coalesce(claim.app_version, 'unknown') as app_version,
        claim.device_id,
        count(*) as restores
    from claim
    cross join night
    where
        claim.is_configured
        and claim.state = 'restored'
        and claim.device_id is not null
        and (
            night.restore_window is null
            or claim.occurred_at + night.restore_window >= night.as_of
        )
    group by coalesce(claim.app_version, 'unknown'), claim.device_id
    having count(distinct (claim.occurred_at at time zone night.time_zone)::date) >= 3

)

select
    'warning' as level,
    '' as environment,
    app_version as subject,
    null as reason,
    format('devices: %s, restores: %s', count(*), sum(restores)) as detail
from restoring_device
group by app_version
