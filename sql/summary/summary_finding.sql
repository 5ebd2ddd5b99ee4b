-- Returns the number of tonight's findings of each rule and level, the worst levels first.
--
-- Takes  $1: the run_id of tonight
-- Gives  rule, level; open: all of them, also the acknowledged ones; new: those that opened tonight; reopened: those
--        that are open again since tonight; acknowledged
select
    found.rule,
    found.level,
    count(*) as open,
    count(*) filter (
        where case
            when finding.finding_id is null then true
            else finding.changed_run_id = $1::bigint and finding.status = 'open'
        end
    ) as new,
    count(*) filter (where finding.changed_run_id = $1::bigint and finding.status = 'reopened') as reopened,
    count(*) filter (where finding.status = 'acknowledged') as acknowledged
from found
left join finding
    on found.rule = finding.rule
    and found.environment = finding.environment
    and found.subject_hash = finding.subject_hash
group by found.rule, found.level
order by
    severity(found.level),
    found.rule
