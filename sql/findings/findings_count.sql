-- What stands at the end of a night, in numbers that later nights are held against: open findings by level
-- and rule, those first flagged on the as-of day, and the transactions that were considered.
--
-- They are kept for as long as the run is, also when findings that are resolved are dropped.
insert into run_count (run_id, section, measure, value)
select
    night.run_id,
    'open_' || found.level,
    found.rule,
    count(*)
from found
cross join night
group by night.run_id, found.level, found.rule
union all
select
    night.run_id,
    'standing',
    'first_flagged',
    count(*)
from night
inner join finding on night.as_of_on = finding.first_flagged_on and finding.status <> 'resolved'
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
