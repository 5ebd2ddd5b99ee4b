-- Returns the cause of the delivery status of each explained transaction, in one word, with the facts for its words.
--
-- Environments that are not configured have no status. A delivery that may have been made in silence has none either. A
-- failed attempt has one: an outage if its server's records show one. A delivery of another product has one too, also
-- before the due date.
--
-- Takes  latest_attempt (explain_latest_attempt.sql), made_delivery (explain_made_delivery.sql), outage
--        (explain_outage.sql), delivered_elsewhere (explain_delivered_elsewhere.sql), rejected_delivery
--        (explain_rejected_delivery.sql), ranked_match (explain_ranked_match.sql), superseded_delivery
--        (explain_superseded_delivery.sql), contradicted_delivery (explain_contradicted_delivery.sql),
--        unsearched_delivery (explain_unsearched_delivery.sql), disputed_product (explain_disputed_product.sql),
--        silent_server (explain_silent_server.sql).
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

)

select
    latest_attempt.*,
    served.delivery_id as served_by,
    made.delivery_id as other_served_by,
    delivered_elsewhere.words as elsewhere_words,
    nearest.delivery_id as match_delivery_id,
    nearest.words as match_words,
    superseded_delivery.words as superseded_words,
    contradicted_delivery.words as contradicted_words,
    unsearched_delivery.words as unsearched_words,
    silenced.begins_at,
    silenced.ends_at,
    silent.servers as silent_servers,
    outage.accounts,
    outage.first_delivery_id,
    outage.last_delivery_id,
    rejected_delivery.location as rejected_at,
    (latest_attempt.environment, latest_attempt.obligation_key) in (
        select
            disputed_product.environment,
            disputed_product.thing_key
        from disputed_product
    ) as is_disputed,
    case
        when not latest_attempt.is_configured then 'other_environment'
        when contradicted_delivery.delivery_id is not null then 'contradicted'
        when served.delivery_id is not null then 'delivered'
        when superseded_delivery.words is not null then 'superseded'
        -- Before the books, and for restores of an unknown purchase, an attempt may be a later one.
        when latest_attempt.is_unowed then 'no_purchase'
        when books.begin_at is null then 'no_books'
        when latest_attempt.purchased_at < books.begin_at then 'before_books'
        when rejected_delivery.thing_key is not null then 'rejected'
        -- The right delivery of an unlisted product can have another identifier, and what others deliver is not logged.
        when
            made.delivery_id is not null
            and latest_attempt.is_listed
            and is_our_delivery(latest_attempt.delivery)
            then case when disputed_product.product_id is null then 'wrong_product' else 'disputed' end
        when latest_attempt.status = 'failed' and outage.accounts is not null then 'failing'
        when latest_attempt.status = 'failed' and silenced.begins_at is not null then 'fell_silent'
        when latest_attempt.status = 'failed' then 'failed'
        when not latest_attempt.is_listed then 'not_listed'
        when not is_our_delivery(latest_attempt.delivery) then 'not_ours'
        when latest_attempt.due_at > night.as_of then 'not_due'
        when silenced.transaction_id is not null then 'unended'
        when latest_attempt.status = 'pending' then 'pending'
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
        when unsearched_delivery.words is not null then 'unsearched'
        else 'never_attempted'
    end as cause
from latest_attempt
cross join night
cross join books
left join silenced using (environment, transaction_id)
left join (
    select
        environment,
        obligation_key,
        string_agg(distinct server, ', ' order by server) as servers
    from silent_server
    group by environment, obligation_key
) as silent using (environment, obligation_key)
left join outage using (environment, transaction_id)
left join delivered_elsewhere using (environment, obligation_key, product_id)
left join edge as bought on utc_hour(latest_attempt.purchased_at) = bought.hour
left join edge as due on utc_hour(latest_attempt.due_at) = due.hour
left join rejected_delivery
    on latest_attempt.environment = rejected_delivery.environment
    and latest_attempt.obligation_key = rejected_delivery.thing_key
left join superseded_delivery
    on latest_attempt.environment = superseded_delivery.environment
    and latest_attempt.obligation_key = superseded_delivery.thing_key
left join unsearched_delivery
    on latest_attempt.environment = unsearched_delivery.environment
    and latest_attempt.obligation_key = unsearched_delivery.thing_key
left join made_delivery as served
    on latest_attempt.environment = served.environment
    and latest_attempt.obligation_key = served.thing_key
    and latest_attempt.product_id = served.product_id
    and served.place_of_product = 1
left join made_delivery as made
    on latest_attempt.environment = made.environment
    and latest_attempt.obligation_key = made.thing_key
    and made.place = 1
left join disputed_product
    on latest_attempt.environment = disputed_product.environment
    and latest_attempt.obligation_key = disputed_product.thing_key
    and made.product_id = disputed_product.product_id
-- The delivery that decides.
left join contradicted_delivery
    on latest_attempt.environment = contradicted_delivery.environment
    and latest_attempt.obligation_key = contradicted_delivery.thing_key
    and contradicted_delivery.delivery_id
    = coalesce(served.delivery_id, made.delivery_id, latest_attempt.delivery_id)
-- A delivery of another product to the same transaction is an attempt of its own.
left join ranked_match as nearest
    on latest_attempt.environment = nearest.environment
    and latest_attempt.obligation_key = nearest.thing_key
    and nearest.place = 1
    and nearest.differs <> 'product_id'
