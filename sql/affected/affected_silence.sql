-- Updates the reason of missing deliveries whose reason depends on a silence that tonight has changed, and adds their
-- findings to the table found.
--
-- A silence has changed if the log has new records of that time, or if a server has become silent or is no longer
-- silent.
--
-- Takes  touched_missing (affected_touched.sql); unheard_missing, unrecorded_missing: the results of judge_unheard.sql
--        and judge_unrecorded.sql for these.
-- Leaves behind  changed_reason, changed_finding
create temporary table changed_reason on commit drop as
with

told as (

    select
        missing.environment,
        missing.obligation_key,
        missing.subject,
        missing.reason as reason_before,
        case
            when coalesce(unheard_missing.obligation_key, unrecorded_missing.obligation_key) is not null
                then 'no_records'
            else 'never_attempted'
        end as reason
    from touched_missing as missing
    left join unheard_missing using (environment, obligation_key)
    left join unrecorded_missing using (environment, obligation_key)

)

select *
from told
where reason <> reason_before;

update carried_missing_delivery
set reason = changed_reason.reason
from changed_reason
where
    carried_missing_delivery.environment = changed_reason.environment
    and carried_missing_delivery.obligation_key = changed_reason.obligation_key;

-- Missing deliveries with the same subject are one finding, with the first of their reasons. The rules can have found
-- it already.
create temporary table changed_finding on commit drop as
select distinct on (finding.finding_id)
    finding.rule,
    case missing.reason when 'no_records' then 'warning' else 'error' end as level,
    finding.environment,
    finding.key,
    finding.subject,
    missing.reason,
    finding.detail,
    finding.amount,
    finding.currency
from changed_reason as changed
inner join finding
    on finding.rule = 'missing_delivery'
    and changed.environment = finding.environment
    and text_hash(changed.subject) = finding.subject_hash
inner join carried_missing_delivery as missing
    on changed.environment = missing.environment
    and changed.subject = missing.subject
where not exists (
    select
    from found
    where
        found.rule = finding.rule
        and found.environment = finding.environment
        and found.subject_hash = finding.subject_hash
)
order by finding.finding_id, missing.reason;

insert into found (rule, level, environment, key, subject, reason, detail, amount, currency)
select
    rule,
    level,
    environment,
    key,
    subject,
    reason,
    detail,
    amount,
    currency
from changed_finding
