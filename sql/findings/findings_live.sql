-- The lives of findings, from what this run found: opened, still open, resolved, reopened.
--
-- A finding is known by its rule, environment and subject; its level, reason and detail follow what is
-- found tonight. What was found before and is not found tonight resolves.
--
-- Takes  found, and found_before: what stood before of all that tonight judged.
-- Leaves behind  resolved_tonight; their events and the reasons are findings_resolved.sql's.

create temporary table found_tonight on commit drop as
select
    found.*,
    sha256(convert_to(found.subject, 'UTF8')) as subject_hash
from found;

analyze found_tonight;

with

reopened as (

    update finding
    set
        status = 'reopened',
        level = found_tonight.level,
        reason = found_tonight.reason,
        detail = found_tonight.detail,
        changed_run_id = night.run_id
    from found_tonight, night
    where
        finding.rule = found_tonight.rule
        and finding.environment = found_tonight.environment
        and finding.subject_hash = found_tonight.subject_hash
        and finding.status = 'resolved'
    returning finding.finding_id, finding.changed_run_id

)

insert into finding_event (finding_id, run_id, event)
select finding_id, changed_run_id, 'reopened' from reopened;

update finding
set
    level = found_tonight.level,
    reason = found_tonight.reason,
    detail = found_tonight.detail
from found_tonight
where
    finding.rule = found_tonight.rule
    and finding.environment = found_tonight.environment
    and finding.subject_hash = found_tonight.subject_hash
    and (finding.level, finding.reason, finding.detail)
    is distinct from (found_tonight.level, found_tonight.reason, found_tonight.detail);

-- An acknowledged finding resolves like any other.
create temporary table resolved_tonight on commit drop as
select
    finding.finding_id,
    finding.rule,
    finding.environment,
    finding.subject,
    finding.reason
from finding
inner join found_before
    on finding.rule = found_before.rule
    and finding.environment = found_before.environment
    and finding.subject_hash = found_before.subject_hash
where
    finding.status <> 'resolved'
    and not exists (
        select
        from found_tonight
        where
            finding.rule = found_tonight.rule
            and finding.environment = found_tonight.environment
            and finding.subject_hash = found_tonight.subject_hash
    );

analyze resolved_tonight;

update finding
set
    status = 'resolved',
    changed_run_id = night.run_id
from resolved_tonight, night
where finding.finding_id = resolved_tonight.finding_id;

-- Found out before anything is inserted: a look-up in a table that grows at the same time reads all that is
-- new in it each time, and so many findings would take minutes where the table was empty before.
create temporary table found_first on commit drop as
select found_tonight.*
from found_tonight
where
    not exists (
        select
        from finding
        where
            finding.rule = found_tonight.rule
            and finding.environment = found_tonight.environment
            and finding.subject_hash = found_tonight.subject_hash
    );

with

opened as (

    insert into finding (
        rule, environment, subject, subject_hash, level, reason, detail, status, first_flagged_on,
        first_run_id, changed_run_id
    )
    select
        found_first.rule,
        found_first.environment,
        found_first.subject,
        found_first.subject_hash,
        found_first.level,
        found_first.reason,
        found_first.detail,
        'open',
        night.as_of_on,
        night.run_id,
        night.run_id
    from found_first
    cross join night
    returning finding_id, first_run_id

)

insert into finding_event (finding_id, run_id, event)
select finding_id, first_run_id, 'opened' from opened
