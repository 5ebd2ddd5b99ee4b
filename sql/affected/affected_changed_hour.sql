-- Updates the carried silent hours: removes hours that are no longer silent, and inserts hours that have become silent.
--
-- The judgement of an hour that is not a candidate is ignored, because some records of it are not visible.
--
-- Takes          candidate_hour (affected_silent_hour.sql); near_silent_hour: the silent hours among the visible ones.
-- Leaves behind  changed_silent_hour.

create temporary table changed_silent_hour on commit drop as
select
    candidate.server,
    candidate.hour,
    near.server is not null as is_silent
from candidate_hour as candidate
left join near_silent_hour as near
    on candidate.server = near.server and candidate.hour = near.hour
left join carried_silent_hour as carried
    on candidate.server = carried.server and candidate.hour = carried.hour
where (near.server is null) <> (carried.server is null);

create index on changed_silent_hour (hour);

analyze changed_silent_hour;

delete from carried_silent_hour as carried
using changed_silent_hour as changed
where
    not changed.is_silent
    and carried.server = changed.server
    and carried.hour = changed.hour;

insert into carried_silent_hour (server, hour)
select
    server,
    hour
from changed_silent_hour
where is_silent
