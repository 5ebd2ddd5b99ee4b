-- Records that an address answered with a catalogue, so that rule_stale_feed notices when it no longer answers.
--
-- Takes  $1: the address; $2: the instant of the answer
insert into feed_day (feed, environment, day, first_at, last_at)
select
    $1,
    '',
    (answered.at at time zone 'UTC')::date,
    answered.at,
    answered.at
from (values ($2::timestamptz)) as answered (at)
on conflict (feed, environment, day) do update
    set
        first_at = least(feed_day.first_at, excluded.first_at),
        last_at = greatest(feed_day.last_at, excluded.last_at)
