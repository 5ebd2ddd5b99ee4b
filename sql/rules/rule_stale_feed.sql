-- Returns one finding for each feed that used to bring records and brings none any more.
--
-- Finds      feeds that had records on at least 7 of the 28 days (UTC) that end with the day of their newest record
--            (feed_active_days, feed_days), if that record is older than as-of by more than `stale_after` and by more
--            than twice the longest gap between two such days: from the last record of one to the first record of the
--            next.
-- Leaves out records after as-of, evidence and deliveries of other environments, and addresses that are no longer
--            configured.
--
-- The feeds are receipts (the age of the evidence), deliveries (occurred_at of the record that applies), client (the
-- device's time) and each address of a catalogue (the time of its last answer of the day). Single servers are the
-- subject of rule_silent_source.sql. The tables of tieout are read whole, also if tonight judges a part.
--
-- Levels     error
-- Judges     the night
-- Exception  none
-- Reads      client_invalid_product, client_transaction, feed_day, log_hour, night
-- Gives      level, environment, reason, detail
-- Key        feed
-- Resolved   records
-- Sentence   A feed has stopped (only if asked for)
-- Otherwise  it is delivered, or no feed is stale
with

fed as (

    select
        feed_day.feed,
        feed_day.day,
        min(feed_day.first_at) as first_at,
        max(feed_day.last_at) as last_at
    from tieout.feed_day
    cross join night
    where
        feed_day.first_at <= night.as_of
        and (
            feed_day.feed = 'receipts' and feed_day.environment = any(night.environments)
            or feed_day.feed = any(night.catalogue_urls)
        )
    group by feed_day.feed, feed_day.day

),

-- The days of deliveries and clients are looked up one by one, so that the cost does not grow with their number.
newest as (

    (
        select
            'deliveries' as feed,
            last_logged_at(log_hour.hour, log_hour.seconds) as last_at
        from log_hour
        order by log_hour.hour desc
        limit 1
    )
    union all
    select
        'client',
        greatest(
            (
                select max(entry.occurred_at)
                from tieout.client_transaction as entry
                where entry.occurred_at <= night.as_of
            ),
            (
                select max(report.reported_at)
                from tieout.client_invalid_product as report
                where report.reported_at <= night.as_of
            )
        )
    from night

),

recent as (

    select
        newest.feed,
        utc_day(newest.last_at) - ago.days * interval '24 hours' as begins_at,
        newest.last_at
    from newest
    cross join generate_series(0, feed_days() - 1) as ago (days)
    where newest.last_at is not null

),

looked_up as (

    select
        recent.feed,
        (recent.begins_at at time zone 'UTC')::date as day,
        day_edge.first_at,
        day_edge.last_at
    from recent
    cross join lateral (
        select
            min(first_logged_at(log_hour.hour, log_hour.seconds)) as first_at,
            max(last_logged_at(log_hour.hour, log_hour.seconds)) as last_at
        from log_hour
        where
            recent.feed = 'deliveries'
            and log_hour.hour >= recent.begins_at
            and log_hour.hour < recent.begins_at + interval '24 hours'
    ) as day_edge
    where recent.feed = 'deliveries'
    union all
    select
        recent.feed,
        (recent.begins_at at time zone 'UTC')::date,
        least(entry.first_at, report.first_at),
        greatest(entry.last_at, report.last_at)
    from recent
    cross join lateral (
        select
            min(entry.occurred_at) as first_at,
            max(entry.occurred_at) as last_at
        from tieout.client_transaction as entry
        where
            entry.occurred_at >= recent.begins_at
            and entry.occurred_at < least(recent.begins_at + interval '24 hours', recent.last_at + interval '1 second')
    ) as entry
    cross join lateral (
        select
            min(report.reported_at) as first_at,
            max(report.reported_at) as last_at
        from tieout.client_invalid_product as report
        where
            report.reported_at >= recent.begins_at
            and report.reported_at < least(recent.begins_at + interval '24 hours', recent.last_at + interval '1 second')
    ) as report
    where recent.feed = 'client'

),

feed as (

    select
        feed,
        day,
        first_at,
        last_at,
        max(day) over (partition by feed) as newest_day,
        first_at - lag(last_at) over (partition by feed order by day) as gap
    from (
        select feed, day, first_at, last_at from fed
        union all
        select feed, day, first_at, last_at from looked_up where first_at is not null
    ) as known

),

usual as (

    select
        feed,
        max(last_at) as last_at,
        count(*) as days,
        -- The gap before the first of these days does not count.
        coalesce(max(gap) filter (where day > first_day), interval '0') as longest_gap
    from (
        select
            feed.*,
            min(day) over (partition by feed.feed) as first_day
        from feed
        where day > newest_day - feed_days()
    ) as feed
    group by feed

)

select
    'error' as level,
    '' as environment,
    usual.feed,
    null as reason,
    format(
        'nothing since %s. Before that, records on %s of %s days, with pauses of up to %s h between days',
        csv_instant(usual.last_at),
        usual.days,
        feed_days(),
        ceil(extract(epoch from usual.longest_gap) / 3600)
    ) as detail
from usual
cross join night
where
    usual.days >= feed_active_days()
    and usual.last_at + night.stale_after < night.as_of
    and 2 * extract(epoch from usual.longest_gap) < extract(epoch from night.as_of - usual.last_at)
