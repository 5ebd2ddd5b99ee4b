-- Returns one row for each change of a finding about an explained thing, in words, sorted by time: what nights did, by
-- their as-of, and what people did, by the clock. The reason of a finding is left out, because only that of the newest
-- night is known.
--
-- Takes  thing, looked_at, explained_finding (explain_seed.sql).
-- Gives  the columns of explain_timeline.sql; file, line and pointer are null; resolved_words: when and by what an
--        explained finding was resolved, as a sentence, or null
with

concerned as (

    select
        thing.environment,
        thing.thing_key,
        looked_at.rule,
        looked_at.subject_environment,
        looked_at.subject
    from thing
    inner join looked_at using (environment, thing_key)
    union
    select
        thing.environment,
        thing.thing_key,
        explained_finding.rule,
        explained_finding.environment,
        explained_finding.subject
    from thing
    inner join explained_finding on thing.thing_key = 'finding ' || explained_finding.finding_id

),

concerned_finding as (

    select
        concerned.environment,
        concerned.thing_key,
        finding.finding_id,
        finding.name,
        finding.rule,
        finding.status = 'resolved'
        and finding.finding_id in (select explained_finding.finding_id from explained_finding) as is_asked_and_resolved
    from concerned
    inner join finding
        on concerned.rule = finding.rule
        and concerned.subject_environment = finding.environment
        and text_hash(concerned.subject) = finding.subject_hash

),

change as (

    select
        finding.environment,
        finding.thing_key,
        run.as_of as at,
        case finding_event.event when 'resolved' then 'resolved' else 'found' end as event,
        finding.rule as name,
        format(
            'finding %s %s%s: %s',
            finding.name,
            finding_event.event,
            ' (' || cause.words || ')',
            finding.rule
        ) as words,
        case
            when finding.is_asked_and_resolved and finding_event.event = 'resolved'
                then format(
                    'Finding %s (%s) was resolved on %s%s.',
                    finding.name,
                    finding.rule,
                    to_char(run.as_of_on, 'YYYY-MM-DD'),
                    ': ' || cause.words
                )
        end as resolved_words
    from concerned_finding as finding
    inner join finding_event on finding.finding_id = finding_event.finding_id
    inner join run on finding_event.run_id = run.run_id
    cross join lateral (
        select
            case
                when finding_event.cause is not null
                    then concat(
                        replace(finding_event.cause, '_', ' '),
                        ', ' || finding_event.record,
                        ', ' || finding_event.file,
                        -- The number of a catalogue's entry is no line of its file.
                        case when finding_event.file like 'catalog/%' then ', entry ' else ':' end || finding_event.line
                    )
            end as words
    ) as cause
    union all
    select
        finding.environment,
        finding.thing_key,
        acknowledgement.acknowledged_at,
        'acknowledged',
        finding.rule,
        format(
            'finding %s acknowledged by %s%s%s',
            finding.name,
            acknowledgement.acknowledged_by,
            ' until ' || acknowledgement.until_on,
            ': ' || nullif(acknowledgement.because, '')
        ),
        null
    from concerned_finding as finding
    inner join acknowledgement on finding.finding_id = acknowledgement.finding_id
    union all
    -- By a person, or by a run that read the whole line of the acknowledgement. A run that ends one for another reason
    -- reopens the finding with an event of its own.
    select
        finding.environment,
        finding.thing_key,
        acknowledgement.ended_at,
        'reopened',
        finding.rule,
        format(
            'finding %s reopened%s%s',
            finding.name,
            ' by ' || acknowledgement.ended_by,
            ': ' || nullif(acknowledgement.ended_note, '')
        ),
        null
    from concerned_finding as finding
    inner join acknowledgement
        on finding.finding_id = acknowledgement.finding_id
        and acknowledgement.ended_because = 'reopened'

)

select
    environment,
    thing_key,
    csv_instant(at) as at,
    event,
    words,
    null as file,
    null as line,
    null as pointer,
    resolved_words
from change
order by
    environment,
    thing_key,
    change.at,
    name,
    words
