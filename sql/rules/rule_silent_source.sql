-- Returns one finding for each stretch of time in which a server that usually logs deliveries logged none. It is not
-- known what the server did in that time.
--
-- Finds      stretches of hours (UTC) in each of which a server sent nothing although it usually does
--            (judge_silent_hour.sql).
-- Leaves out a server that has sent nothing for switched_off_days or longer since the stretch: it was switched off.
--
-- Levels     error
-- Judges     the night
-- Exception  none
-- Reads      night, silence, source_hour
-- Gives      level, environment, reason, detail
-- Key        server, begins_at
-- Resolved   records, time
-- Sentence   A server was silent (only if asked for)
-- Otherwise  no finding about a silent server concerns its delivery
select
    'error' as level,
    '' as environment,
    silence.server,
    silence.begins_at,
    null as reason,
    format('no delivery logged until %s', csv_instant(silence.ends_at)) as detail
from silence
cross join night
where
    silence.ends_at > night.as_of - switched_off_days() * interval '24 hours'
    or exists (
        select
        from source_hour
        where source_hour.server = silence.server and source_hour.hour >= silence.ends_at
    )
