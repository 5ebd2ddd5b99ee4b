-- Adds to the carried hours of the log what tonight's files changed in the affected records.
--
-- Takes          before_log_hour, after_log_hour: the hours of the affected records before and after the load.
-- Leaves behind  difference_log_hour: the hours that differ.

create temporary table difference_log_hour on commit drop as
select
    hour,
    carried_log_hour.seconds,
    before_log_hour.seconds as seconds_before,
    after_log_hour.seconds as seconds_after
from before_log_hour
full join after_log_hour using (hour)
left join carried_log_hour using (hour)
where before_log_hour.seconds is distinct from after_log_hour.seconds;

create index on difference_log_hour (hour);

analyze difference_log_hour;

delete from carried_log_hour
using difference_log_hour
where carried_log_hour.hour = difference_log_hour.hour;

insert into carried_log_hour (hour, seconds)
select
    hour,
    array_agg(second order by second) as seconds
from (
    select hour, unnest(seconds) as second from difference_log_hour
    except all
    select hour, unnest(seconds_before) from difference_log_hour
    union all
    select hour, unnest(seconds_after) from difference_log_hour
) as logged
group by hour
