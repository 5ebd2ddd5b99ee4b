-- Inserts the counts at the end of a night, with which later nights are compared: open findings by level and rule,
-- acknowledged findings by level and rule, findings first flagged on the as-of day, the considered transactions, and
-- how much was compared (judge_compared.sql).
--
-- It must run after tonight's files have acknowledged findings. The counts are kept as long as the run, also after
-- resolved findings are dropped.
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
select night.run_id, 'open_' || counted.level, counted.rule, counted.open
from counted
cross join night
where counted.open > 0
union all
select night.run_id, 'acknowledged_' || counted.level, counted.rule, counted.acknowledged
from counted
cross join night
where counted.acknowledged > 0
union all
select night.run_id, 'standing', 'first_flagged', count(*)
from night
inner join finding
    on night.as_of_on = finding.first_flagged_on and finding.status not in ('acknowledged', 'resolved')
group by night.run_id
union all
select night.run_id, 'standing', 'transactions', coalesce(sum(carried_total.value), 0)
from night
left join carried_total on carried_total.section = 'disposition'
group by night.run_id
union all
select night.run_id, compared.section, compared.measure, compared.value
from compared
cross join night
