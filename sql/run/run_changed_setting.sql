-- Returns one row: the settings that decide which records are read and that differ from those of the run before.
--
-- Gives  names: null if there are none.
--        settings: their number.
--        earlier_run: the number of the run before.
select
    string_agg(setting.name, ', ' order by setting.name) as names,
    count(*) as settings,
    max(earlier.run_id) as earlier_run
from night
inner join run on night.run_id = run.run_id
inner join run as earlier on earlier.run_id = (
    select max(done.run_id)
    from run as done
    where done.outcome = 'done' and done.run_id < run.run_id
)
cross join unnest(settings_of_reading()) as setting (name)
where earlier.settings -> setting.name is distinct from run.settings -> setting.name
