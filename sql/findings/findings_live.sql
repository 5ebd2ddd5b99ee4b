-- Updates the findings from what this run found: each finding is opened, stays open, is resolved or is reopened.
--
-- A finding is identified by its rule, environment and subject. Its level, reason and detail are those found tonight. A
-- finding that was found before and is not found tonight is resolved.
--
-- Takes  found, and found_before: the findings that existed before, of everything that tonight judged.
-- Leaves behind  resolved_tonight. findings_resolved.sql inserts their events with the reasons.

with

reopened as (

    update finding
    set
        status = 'reopened',
        level = found.level,
        reason = found.reason,
        detail = found.detail,
        amount = found.amount,
        currency = found.currency,
        changed_run_id = night.run_id
    from found, night
    where
        finding.rule = found.rule
        and finding.environment = found.environment
        and finding.subject_hash = found.subject_hash
        and finding.status = 'resolved'
    returning finding.finding_id, finding.changed_run_id

)

insert into finding_event (finding_id, run_id, event)
select finding_id, changed_run_id, 'reopened' from reopened;

update finding
set
    level = found.level,
    reason = found.reason,
    detail = found.detail,
    amount = found.amount,
    currency = found.currency
from found
where
    finding.rule = found.rule
    and finding.environment = found.environment
    and finding.subject_hash = found.subject_hash
    -- As text: amounts with different numbers of decimal places differ.
    and (finding.level, finding.reason, finding.detail, finding.amount::text, finding.currency)
    is distinct from (
        found.level,
        found.reason,
        found.detail,
        found.amount::text,
        found.currency
    );

-- An acknowledged finding is resolved like any other.
create temporary table resolved_tonight on commit drop as
select
    finding.finding_id,
    finding.rule,
    finding.environment,
    finding.key,
    finding.subject,
    finding.reason,
    finding.detail
from finding
inner join found_before
    on finding.rule = found_before.rule
    and finding.environment = found_before.environment
    and finding.subject_hash = found_before.subject_hash
where
    finding.status <> 'resolved'
    and not exists (
        select
        from found
        where
            finding.rule = found.rule
            and finding.environment = found.environment
            and finding.subject_hash = found.subject_hash
    );

analyze resolved_tonight;

update finding
set
    status = 'resolved',
    changed_run_id = night.run_id
from resolved_tonight, night
where finding.finding_id = resolved_tonight.finding_id;

-- Computed before the insert, for the reason in load_document.sql: otherwise many findings would take minutes if the
-- table was empty before.
create temporary table found_first on commit drop as
select found.*
from found
where
    not exists (
        select
        from finding
        where
            finding.rule = found.rule
            and finding.environment = found.environment
            and finding.subject_hash = found.subject_hash
    );

with

opened as (

    insert into finding (
        rule, environment, key, subject, subject_hash, level, reason, detail, status, first_flagged_on,
        first_run_id, changed_run_id, amount, currency
    )
    select
        found_first.rule,
        found_first.environment,
        found_first.key,
        found_first.subject,
        found_first.subject_hash,
        found_first.level,
        found_first.reason,
        found_first.detail,
        'open',
        night.as_of_on,
        night.run_id,
        night.run_id,
        found_first.amount,
        found_first.currency
    from found_first
    cross join night
    returning finding_id, first_run_id

)

insert into finding_event (finding_id, run_id, event)
select finding_id, first_run_id, 'opened' from opened;

-- A private server stops before its autovacuum starts. Without statistics of many new findings, the planner expects a
-- few, and joins of the reports and of the next night would become nested loops over all rows.
do $$
begin
    if
        (select count(*) from found_first)
        > (select greatest(reltuples, 0) / 10 + 500 from pg_class where oid = 'finding'::regclass)
    then
        analyze finding;
    end if;
end
$$
