-- Finds the settings that have changed since the last night.
--
-- Takes          last_night (findings_things.sql), night.
-- Leaves behind  changed_setting: key.

create temporary table changed_setting on commit drop as
select setting.key
from last_night
cross join night
inner join run on night.run_id = run.run_id
cross join lateral jsonb_object_keys(settings_of_findings(last_night.settings || run.settings)) as setting (key)
where last_night.settings -> setting.key is distinct from run.settings -> setting.key
union
-- Until a rebuild, the records of a file count as the last rebuild or a later run has read them.
select setting.key
from night
inner join run on night.run_id = run.run_id
inner join run as earlier on run.run_id > earlier.run_id
cross join unnest(settings_of_reading()) as setting (key)
where
    run.is_rebuild
    and (earlier.is_rebuild or earlier.run_id in (select input_file.run_id from input_file))
    and earlier.run_id >= (
        select coalesce(max(rebuilt.run_id), 0)
        from run as rebuilt
        where rebuilt.is_rebuild and rebuilt.run_id <> (select night.run_id from night)
    )
    and earlier.settings -> setting.key is distinct from run.settings -> setting.key
