-- Open findings by rule and level: of the night as they stand, of the twenty-nine days before as each
-- day's last night counted them.
with

last_night as (

    select distinct on (run.as_of_on)
        run.as_of_on,
        run.run_id
    from run
    cross join night
    where
        run.outcome = 'done'
        and not run.is_rebuild
        and run.as_of_on >= night.as_of_on - 29
        and run.as_of_on < night.as_of_on
    order by run.as_of_on, run.run_id desc

)

select
    last_night.as_of_on as day,
    run_count.measure as rule,
    substr(run_count.section, 6) as level,
    run_count.value as findings
from last_night
inner join run_count on last_night.run_id = run_count.run_id
where run_count.section in ('open_error', 'open_warning', 'open_info')
union all
select
    night.as_of_on,
    found.rule,
    found.level,
    count(*)
from night
cross join found
group by night.as_of_on, found.rule, found.level
order by day, rule, level
