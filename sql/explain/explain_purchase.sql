-- Returns one row for each explained purchase: its cause in one word, and the facts for the sentence about it.
--
-- Takes  representing_purchase (explain_representing_purchase.sql), made_delivery (explain_made_delivery.sql),
--        silent_server, silence, later_record (explain_later_record.sql), delivered_elsewhere, ranked_match,
--        first_purchase (explain_first_purchase.sql), carried_missing_delivery of the affected part;
--        tieout.error_length: the largest number of characters of an error.
-- Gives  the columns below; explain_purchase_cause.sql makes a sentence of them. owed_transaction_id, due_at and
--        owed_delivery are null if no delivery is owed.
with

-- A delivery of another product, and the latest attempt.
attempted as (

    select
        purchase.environment,
        purchase.thing_key,
        attempt.product_id,
        attempt.status,
        attempt.occurred_at,
        attempt.error,
        attempt.server,
        'delivery ' || attempt.delivery_id || coalesce(', server ' || attempt.server, '') as delivery_words,
        attempt.product_id = purchase.product_id as is_right,
        count(*) over (partition by purchase.environment, purchase.thing_key) as attempts,
        row_number() over (
            partition by purchase.environment, purchase.thing_key
            order by latest_first(attempt.occurred_at, attempt.status, attempt.delivery_id)
        ) as latest,
        row_number() over (
            partition by purchase.environment, purchase.thing_key, attempt.status
            order by latest_first(attempt.occurred_at, attempt.status, attempt.delivery_id)
        ) as latest_of_status
    from representing_purchase as purchase
    inner join attempt
        on purchase.environment = attempt.environment and purchase.thing_key = attempt.obligation_key

),

-- The delivery that served it.
served as (

    select
        made_delivery.environment,
        made_delivery.thing_key,
        made_delivery.delivery_id,
        made_delivery.occurred_at,
        'delivery ' || made_delivery.delivery_id || coalesce(', server ' || made_delivery.server, '')
            as delivery_words,
        made_delivery.occurred_at < purchase.purchased_at as is_before
    from representing_purchase as purchase
    inner join made_delivery
        on purchase.environment = made_delivery.environment
        and purchase.thing_key = made_delivery.thing_key
        and purchase.product_id = made_delivery.product_id
    where made_delivery.place_of_product = 1

),

-- The purchase of a chain for which a delivery was made, if it came before the purchase that represents the chain: the
-- latest one before the delivery, or else the first.
served_purchase as (

    select
        served.environment,
        served.thing_key,
        coalesce(
            max(family.purchased_at) filter (where family.purchased_at <= served.occurred_at),
            min(family.purchased_at)
        ) as purchased_at
    from served
    inner join family
        on served.environment = family.environment and served.thing_key = family.obligation_key
    where served.is_before
    group by served.environment, served.thing_key

),

-- The servers of its product that were silent until it was due.
silent as (

    select
        environment,
        obligation_key as thing_key,
        string_agg(distinct server, ', ' order by server) as servers
    from silent_server
    group by environment, obligation_key

),

later as (

    select
        environment,
        thing_key,
        count(distinct delivery_id) as deliveries
    from later_record
    group by environment, thing_key

),

-- Obligations of the other classes owe nothing, or nothing any more.
owed as (

    select
        environment,
        obligation_key as thing_key,
        transaction_id,
        due_at,
        delivery
    from obligation
    where class in ('delivered', 'not_due', 'undelivered')

),

-- When the server of the latest attempt became silent, if that attempt had not ended: it may have ended in the silence
-- (explain_status_cause.sql).
silenced as (

    select
        attempted.environment,
        attempted.thing_key,
        min(silence.begins_at) as begins_at
    from attempted
    inner join owed using (environment, thing_key)
    inner join silence
        on attempted.server = silence.server
        and attempted.occurred_at < silence.ends_at
        and owed.due_at >= silence.begins_at
    where attempted.latest = 1 and attempted.status = 'pending'
    group by attempted.environment, attempted.thing_key

)

select
    purchase.*,
    silent.servers,
    unheard.obligation_key is not null as is_unheard,
    later.deliveries as later_deliveries,
    owed.transaction_id as owed_transaction_id,
    owed.due_at,
    owed.delivery as owed_delivery,
    product.delivery,
    served.delivery_words as served_words,
    served.occurred_at as served_at,
    coalesce(served_purchase.purchased_at, purchase.purchased_at) as bought_at,
    delivered_elsewhere.words as elsewhere_words,
    wrong.delivery_words as wrong_words,
    wrong.product_id as wrong_product_id,
    wrong.occurred_at as wrong_at,
    latest.delivery_words as latest_words,
    latest.status as latest_status,
    latest.occurred_at as latest_at,
    -- The events have the whole error.
    case
        when length(latest.error) > length.error then left(latest.error, length.error) || '…'
        else latest.error
    end as cut_error,
    'had not ended when its server became silent on '
    || csv_instant(silenced.begins_at)
    || '; perhaps the log is missing, not the delivery' as unended_words,
    case
        when not latest.is_right
            then format('; it attempted %s, not %s', quoted_name(latest.product_id), quoted_name(purchase.product_id))
    end as latest_product_words,
    coalesce(latest.attempts, 0) as attempts,
    case coalesce(latest.attempts, 0)
        when 1 then 'the only attempt'
        else format('the last of %s attempts', latest.attempts)
    end as attempt_words,
    missing.price_source = 'receipt' and missing.amount > 0 as is_charged,
    case
        when missing.reason is not null then missing.reason
        when not purchase.is_configured then 'other_environment'
        when served.delivery_id is not null then 'delivered'
        when not purchase.is_listed then 'not_listed'
        when not purchase.is_completed then 'no_purchase'
        when not is_our_delivery(product.delivery) then 'not_ours'
        when obligation.class = 'before_books' and books.begin_at is null then 'no_books'
        when obligation.class = 'on_demand' then 'not_asked'
        when obligation.class in ('before_books', 'refunded', 'not_due') then obligation.class
        else 'not_owed'
    end as cause,
    nearest.words as match_words,
    case
        when missing.reason is not null
            then ' ' || upper(left(first_purchase.words, 1)) || substr(first_purchase.words, 2) || '.'
    end as first_purchase_words,
    books.begin_at
from representing_purchase as purchase
left join served using (environment, thing_key)
left join served_purchase using (environment, thing_key)
left join silent using (environment, thing_key)
left join silenced using (environment, thing_key)
left join later using (environment, thing_key)
left join first_purchase using (environment, thing_key)
cross join books
cross join (select current_setting('tieout.error_length')::integer as error) as length
left join owed using (environment, thing_key)
left join obligation
    on purchase.environment = obligation.environment and purchase.thing_key = obligation.obligation_key
left join unheard
    on purchase.environment = unheard.environment and purchase.thing_key = unheard.obligation_key
left join delivered_elsewhere
    on purchase.environment = delivered_elsewhere.environment
    and purchase.thing_key = delivered_elsewhere.obligation_key
    and purchase.product_id = delivered_elsewhere.product_id
left join product on purchase.product_id = product.product_id
left join carried_missing_delivery as missing
    on purchase.environment = missing.environment and purchase.thing_key = missing.obligation_key
left join attempted as wrong
    on purchase.environment = wrong.environment
    and purchase.thing_key = wrong.thing_key
    and wrong.status = 'delivered'
    and not wrong.is_right
    and wrong.latest_of_status = 1
left join attempted as latest
    on purchase.environment = latest.environment
    and purchase.thing_key = latest.thing_key
    and latest.latest = 1
left join ranked_match as nearest
    on purchase.environment = nearest.environment
    and purchase.thing_key = nearest.thing_key
    and nearest.place = 1
    and nearest.differs <> 'product_id'
