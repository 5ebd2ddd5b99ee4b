-- Returns one finding for each app version that restores automatically. Apple asks apps to wait for the customer.
--
-- Finds      app versions under which a device restored on three days or more (automatic_restore_days), in the
--            configured time zone, within the restore window before as-of.
-- Leaves out restores without a device: nobody can say whether they repeat.
--
-- Levels     warning
-- Judges     the night
-- Exception  match_exception.sql
-- Reads      carried_client_restore, night
-- Gives      level, environment, reason, detail
-- Key        app_version
-- Resolved   time
-- Sentence   The app restores by itself
-- Otherwise  no automatic restores by the app versions that restored it
with

restoring_device as (

    select
        carried_client_restore.app_version,
        carried_client_restore.device_id,
        sum(carried_client_restore.restores) as restores
    from carried_client_restore
    cross join night
    where
        night.restore_window is null
        or carried_client_restore.occurred_at + night.restore_window >= night.as_of
    group by carried_client_restore.app_version, carried_client_restore.device_id
    having
        count(
            distinct (carried_client_restore.occurred_at at time zone night.time_zone)::date
        ) >= automatic_restore_days()

)

select
    'warning' as level,
    '' as environment,
    app_version,
    null as reason,
    format('devices: %s, restores: %s', count(*), sum(restores)) as detail
from restoring_device
group by app_version
