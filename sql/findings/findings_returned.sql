-- Reopens acknowledged findings whose day has passed or whose level is higher than the acknowledged level, and ends the
-- acknowledgements of resolved findings.
--
-- If a resolved finding comes back, it alerts again.
--
-- Takes  resolved_tonight (findings_live.sql). The cost depends only on the number of acknowledgements.
--
-- A person may acknowledge or reopen a finding at the same time. Every SQL statement locks the finding before its
-- acknowledgement, and one finding at a time, so that no deadlock is possible.

update acknowledgement
set
    ended_because = 'resolved',
    ended_at = clock_timestamp(),
    ended_run_id = night.run_id
from resolved_tonight, night
where
    acknowledgement.finding_id = resolved_tonight.finding_id
    and acknowledgement.ended_because is null;

with

returned as (

    update finding
    set
        status = 'reopened',
        changed_run_id = night.run_id
    from acknowledgement, night
    where
        finding.finding_id = acknowledgement.finding_id
        and finding.status = 'acknowledged'
        and acknowledgement.ended_because is null
        and (
            acknowledgement.until_on < night.as_of_on
            or severity(finding.level) < severity(acknowledgement.level)
        )
    returning
        finding.finding_id,
        finding.changed_run_id,
        case
            when acknowledgement.until_on < night.as_of_on then 'acknowledgement_ended'
            else 'level_rose'
        end as cause

)

insert into finding_event (finding_id, run_id, event, cause)
select finding_id, changed_run_id, 'reopened', cause from returned;

update acknowledgement
set
    ended_because = finding_event.cause,
    ended_at = clock_timestamp(),
    ended_run_id = night.run_id
from finding_event, night
where
    finding_event.run_id = night.run_id
    and finding_event.event = 'reopened'
    and finding_event.cause is not null
    and acknowledgement.finding_id = finding_event.finding_id
    and acknowledgement.ended_because is null
