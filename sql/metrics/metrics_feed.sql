-- Returns one row for each feed: the age of its newest record at the as-of of the newest night.
select
    newest.feed,
    extract(epoch from night.as_of - newest.at) as seconds
from night
cross join lateral (
    select
        feed_day.feed,
        max(least(feed_day.last_at, night.as_of)) as at
    from feed_day
    where
        feed_day.first_at <= night.as_of
        and (
            feed_day.feed = 'receipts' and feed_day.environment = any(night.environments)
            or feed_day.feed = any(night.catalogue_urls)
        )
    group by feed_day.feed
    union all
    select
        'deliveries' as feed,
        (
            select last_logged_at(carried_log_hour.hour, carried_log_hour.seconds)
            from carried_log_hour
            order by carried_log_hour.hour desc
            limit 1
        ) as at
    union all
    select
        'client' as feed,
        greatest(
            (
                select max(client_transaction.occurred_at)
                from client_transaction
                where client_transaction.occurred_at <= night.as_of
            ),
            (
                select max(client_invalid_product.reported_at)
                from client_invalid_product
                where client_invalid_product.reported_at <= night.as_of
            )
        ) as at
) as newest
where newest.at is not null
order by newest.feed
