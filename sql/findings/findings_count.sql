-- What stands at the end of a night, in numbers that later nights are held against: open findings by level
-- and rule, and apart from them those that somebody has acknowledged; those first flagged on the as-of day, and
-- the transactions that were considered. To be run when tonight's files have acknowledged what they do.
--
-- They are kept for as long as the run is, also when findings that are resolved are dropped.
with

counted as (

    select
        level,
        rule,
        count(*) filter (where status <> 'acknowledged') as open,
        count(*) filter (where status = 'acknowledged') as acknowledged
    from finding
    where status <> 'resolved'
    group by level, rule

)

insert into run_count (run_id, section, measure, value)
select
    night.run_id,
    'open_' || counted.level,
    counted.rule,
    counted.open
from counted
cross join night
where counted.open > 0
union all
select
    night.run_id,
    'acknowledged_' || counted.level,
    counted.rule,
    counted.acknowledged
from counted
cross join night
where counted.acknowledged > 0
union all
select
    night.run_id,
    'standing',
    'first_flagged',
    count(*)
from night
inner join finding
    on night.as_of_on = finding.first_flagged_on and finding.status not in ('acknowledged', 'resolved')
group by night.run_id
union all
select
    night.run_id,
    'standing',
    'transactions',
    coalesce(sum(carried_total.value), 0)
from night
left join carried_total on carried_total.section = 'disposition'
group by night.run_id
