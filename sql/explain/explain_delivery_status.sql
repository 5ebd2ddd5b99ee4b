-- Returns for each explained transaction the deliveryStatus for Apple's consumption request that evidence supports.
--
-- Environments that are not configured have none, nor has a delivery that may have been made in silence. A failed
-- attempt has one: an outage if its server's records show one.
--
-- Takes  latest_attempt (explain_latest_attempt.sql), outage (explain_outage.sql), delivered_elsewhere
--        (explain_delivered_elsewhere.sql), rejected_delivery (explain_rejected_delivery.sql); explained_name
--        (explain_seed.sql).
-- Gives  transaction_id, environment, product_id, delivery_status or null, consumption_percentage, because
with

-- An attempt that had not ended when its server became silent may have ended. A failed one shows an outage.
silenced as (

    select
        latest_attempt.environment,
        latest_attempt.transaction_id,
        min(silence.begins_at) as begins_at,
        max(silence.ends_at) as ends_at
    from latest_attempt
    inner join silence
        on latest_attempt.server = silence.server
        and latest_attempt.occurred_at < silence.ends_at
        and latest_attempt.due_at >= silence.begins_at
    where latest_attempt.status in ('pending', 'failed')
    group by latest_attempt.environment, latest_attempt.transaction_id

),

-- The hours of the log in which the time of a transaction begins or ends. Each is read once, with each second once: an
-- hour can have thousands of attempts.
edge as materialized (

    select
        log_hour.hour,
        array(select distinct second from unnest(log_hour.seconds) as attempt (second) order by second) as seconds
    from log_hour
    where
        log_hour.hour in (
            select utc_hour(purchased_at)
            from latest_attempt
            union
            select utc_hour(due_at)
            from latest_attempt
        )

),

judged as (

    select
        latest_attempt.*,
        delivered_elsewhere.words as elsewhere_words,
        silenced.begins_at,
        silenced.ends_at,
        outage.accounts,
        outage.first_delivery_id,
        outage.last_delivery_id,
        rejected_delivery.path || coalesce(':' || rejected_delivery.line, '') as rejected_at,
        case
            when not latest_attempt.is_configured then 'other_environment'
            when latest_attempt.served_by is not null then 'delivered'
            when latest_attempt.other_served_by is not null then 'wrong_product'
            -- Before the books, and for restores of an unknown purchase, a failed attempt may be a later one.
            when latest_attempt.is_unowed then 'no_purchase'
            when books.begin_at is null or latest_attempt.purchased_at < books.begin_at then 'before_books'
            when latest_attempt.status = 'failed' and outage.accounts is not null then 'failing'
            when latest_attempt.status = 'failed' and silenced.begins_at is not null then 'fell_silent'
            when latest_attempt.status = 'failed' then 'failed'
            when not latest_attempt.is_listed then 'not_listed'
            when not is_our_delivery(latest_attempt.delivery) then 'not_ours'
            when latest_attempt.due_at > night.as_of then 'not_due'
            when silenced.transaction_id is not null then 'unended'
            when latest_attempt.status = 'pending' then 'pending'
            when latest_attempt.delivery_id is null and rejected_delivery.name is not null then 'rejected'
            when latest_attempt.delivery = 'on_demand' then 'not_asked'
            when
                is_logged(
                    bought.hour, bought.seconds, latest_attempt.purchased_at, latest_attempt.due_at
                ) is not true
                and is_logged(due.hour, due.seconds, latest_attempt.purchased_at, latest_attempt.due_at) is not true
                -- An hour between them has an attempt if it is there.
                and not exists (
                    select
                    from log_hour
                    where
                        log_hour.hour
                        between latest_attempt.purchased_at and latest_attempt.due_at - interval '1 hour'
                )
                then 'no_records'
            when latest_attempt.is_unheard then 'unheard'
            else 'never_attempted'
        end as cause
    from latest_attempt
    cross join night
    cross join books
    left join silenced using (environment, transaction_id)
    left join outage using (environment, transaction_id)
    left join delivered_elsewhere using (environment, obligation_key, product_id)
    left join edge as bought on utc_hour(latest_attempt.purchased_at) = bought.hour
    left join edge as due on utc_hour(latest_attempt.due_at) = due.hour
    left join rejected_delivery on latest_attempt.transaction_id = rejected_delivery.name

)

select
    transaction_id,
    environment,
    product_id,
    case cause
        when 'delivered' then 'DELIVERED'
        when 'wrong_product' then 'UNDELIVERED_WRONG_ITEM'
        when 'failing' then 'UNDELIVERED_SERVER_OUTAGE'
        when 'fell_silent' then 'UNDELIVERED_SERVER_OUTAGE'
        when 'failed' then 'UNDELIVERED_OTHER'
        when 'pending' then 'UNDELIVERED_OTHER'
        when 'never_attempted' then 'UNDELIVERED_OTHER'
    end as delivery_status,
    -- Apple expects 0 for a product that was not delivered, and refuses the member for auto-renewable subscriptions.
    case
        when
            cause in (
                'wrong_product', 'failing', 'fell_silent', 'failed', 'pending', 'never_attempted'
            )
            and product_type <> 'auto_renewable'
            then 0
    end as consumption_percentage,
    concat(
        -- In a chain that one delivery serves, and for a restore, another purchase decides.
        case
            when cause not in ('delivered', 'wrong_product', 'other_environment', 'no_purchase')
                and owed_transaction_id <> transaction_id
                then format('transaction %s represents this purchase: ', owed_transaction_id)
        end,
        case cause
            when 'delivered' then format('it was delivered (delivery %s)%s', served_by, elsewhere_words)
            when 'wrong_product' then format('another product was delivered (delivery %s)', other_served_by)
            when 'failing'
                then format(
                    'the latest attempt (delivery %s) failed, and in that hour %s failed for %s accounts (%s to %s)',
                    delivery_id,
                    server,
                    accounts,
                    first_delivery_id,
                    last_delivery_id
                )
            when 'fell_silent'
                then format(
                    'the latest attempt (delivery %s) failed, and %s was silent at times from %s to %s',
                    delivery_id,
                    server,
                    csv_instant(begins_at),
                    csv_instant(ends_at)
                )
            when 'failed'
                then format(
                    'the latest attempt (delivery %s) failed, and no other record of its server shows an outage',
                    delivery_id
                )
            when 'pending' then format('the latest attempt (delivery %s) never ended', delivery_id)
            when 'never_attempted' then 'no attempt was made, but the log has other deliveries of that time'
            when 'rejected'
                then
                    format(
                        'a delivery record that contains its ID was rejected (%s): no answer is possible', rejected_at
                    )
            when 'no_records' then 'the log has no delivery of anything in its time: its delivery is uncertain'
            when 'unheard'
                then 'the log of every server that served its product is silent in its time: its delivery is uncertain'
            when 'unended'
                then
                    'the latest attempt had not ended when the log of its server fell silent: its delivery is uncertain'
            when 'not_due'
                then coalesce(
                    'its delivery is not due yet, and the latest attempt (delivery '
                    || delivery_id
                    || ') has not ended',
                    'its delivery is not due yet, and none is known'
                )
            when 'before_books' then 'it was bought before the books begin: no answer is possible'
            when 'not_asked' then 'it is fetched on demand, and was not requested'
            when 'no_purchase'
                then format(
                    'only restores of %s are known, never the purchase itself: nothing is owed', original_transaction_id
                )
            when 'not_ours' then 'the catalogue says that others deliver it: no answer is possible'
            when 'not_listed' then 'the catalogue does not list its product: no answer is possible'
            else format('%s is not among the configured environments: it is not compared', environment)
        end
    ) as because
from judged
union all
-- Bought after as-of: loaded, but not considered yet.
select
    later.transaction_id,
    later.environment,
    later.product_id,
    null,
    null,
    format('it was bought on %s, after as-of: it is not compared yet', csv_instant(later.first_purchased_at))
from explained_name
cross join night
inner join store_transaction as later on explained_name.name = later.transaction_id
where
    later.first_purchased_at > night.as_of
    and not exists (
        select
        from member
        where member.environment = later.environment and member.transaction_id = later.transaction_id
    )
order by transaction_id, environment
