-- Returns one row for each explained purchase: its cause in one sentence, and what is owed and by when.
--
-- Takes  thing, looked_at, possible_match, carried_missing_delivery of the affected part.
-- Gives  environment, thing_key, cause: one word, sentence, and the obligation
with

purchase as (

    -- The first purchase of a chain represents it.
    select distinct on (family.environment, family.obligation_key)
        family.environment,
        family.obligation_key as thing_key,
        family.transaction_id,
        family.original_transaction_id,
        family.product_id,
        family.disposition,
        family.purchased_at,
        family.is_listed,
        family.is_completed,
        family.is_configured,
        max(family.refunded_at) over chain as refunded_at,
        bool_and(family.refunded_at is not null) over chain as is_refunded
    from thing
    inner join family
        on thing.environment = family.environment and thing.thing_key = family.obligation_key
    where thing.kind = 'purchase'
    window chain as (partition by family.environment, family.obligation_key)
    order by
        family.environment,
        family.obligation_key,
        family.is_completed desc,
        family.purchased_at,
        identifier_order(family.transaction_id)

),

-- The delivery that served it, a delivery of another product, and the latest attempt.
attempted as (

    select
        purchase.environment,
        purchase.thing_key,
        attempt.delivery_id,
        attempt.product_id,
        attempt.status,
        attempt.occurred_at,
        attempt.error,
        'delivery ' || attempt.delivery_id || coalesce(', server ' || attempt.server, '') as delivery_words,
        attempt.product_id = purchase.product_id as is_right,
        count(*) over (partition by purchase.environment, purchase.thing_key) as attempts,
        row_number() over (
            partition by
                purchase.environment,
                purchase.thing_key,
                attempt.status = 'delivered' and attempt.product_id = purchase.product_id
            order by attempt.occurred_at, attempt.delivery_id
        ) as earliest,
        row_number() over (
            partition by purchase.environment, purchase.thing_key
            order by latest_first(attempt.occurred_at, attempt.status, attempt.delivery_id)
        ) as latest,
        row_number() over (
            partition by purchase.environment, purchase.thing_key, attempt.status
            order by latest_first(attempt.occurred_at, attempt.status, attempt.delivery_id)
        ) as latest_of_status
    from purchase
    inner join attempt
        on purchase.environment = attempt.environment and purchase.thing_key = attempt.obligation_key

),

-- The servers whose silence hides the deliveries.
silent as (

    select
        told.environment,
        told.thing_key,
        string_agg(distinct silence.server, ', ') as servers
    from looked_at as told
    inner join silence
        on told.subject = concat_ws(' ', silence.server, csv_instant(silence.begins_at))
    where told.rule = 'silent_source'
    group by told.environment, told.thing_key

),

reasoned as (

    select
        purchase.*,
        silent.servers,
        obligation.transaction_id as owed_transaction_id,
        obligation.due_at,
        obligation.delivery as owed_delivery,
        product.delivery,
        served.delivery_words as served_words,
        served.occurred_at as served_at,
        wrong.delivery_words as wrong_words,
        wrong.product_id as wrong_product_id,
        latest.delivery_words as latest_words,
        latest.occurred_at as latest_at,
        latest.error as latest_error,
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
            when purchase.is_refunded then 'refunded'
            when books.begin_at is null then 'no_books'
            when purchase.purchased_at < books.begin_at then 'before_books'
            when obligation.due_at > night.as_of then 'not_due'
            when product.delivery = 'on_demand' then 'not_asked'
            else 'not_owed'
        end as cause,
        nearest.words as match_words,
        books.begin_at
    from purchase
    left join silent using (environment, thing_key)
    cross join night
    cross join books
    left join obligation
        on purchase.environment = obligation.environment and purchase.thing_key = obligation.obligation_key
    left join product on purchase.product_id = product.product_id
    left join carried_missing_delivery as missing
        on purchase.environment = missing.environment and purchase.thing_key = missing.obligation_key
    left join attempted as served
        on purchase.environment = served.environment
        and purchase.thing_key = served.thing_key
        and served.status = 'delivered'
        and served.is_right
        and served.earliest = 1
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
    left join possible_match as nearest
        on purchase.environment = nearest.environment
        and purchase.thing_key = nearest.thing_key
        and nearest.place = 1
        and nearest.differs <> 'product_id'

)

select
    environment,
    thing_key,
    cause,
    concat(
        case
            when cause in ('delivered', 'refunded', 'not_due', 'before_books', 'no_books', 'not_asked', 'not_ours')
                then 'Bought'
            when cause in ('other_environment', 'not_listed', 'no_purchase', 'not_owed') then 'Seen'
            when disposition = 'free' then 'Received for free'
            when disposition = 'family_shared' then 'Shared by the family'
            when is_charged then 'Charged'
            else 'Bought'
        end,
        ' on ',
        csv_instant(purchased_at),
        case cause
            when 'delivered' then format(
                ' and delivered on %s (%s)%s.',
                csv_instant(served_at),
                served_words,
                case when served_at > due_at then ', late: it was due on ' || csv_instant(due_at) end
            )
            when 'wrong_product' then format(
                ' and never delivered: %s (%s) delivered %s instead of %s.',
                case attempts when 1 then 'the only attempt' else format('one of %s attempts', attempts) end,
                wrong_words,
                wrong_product_id,
                product_id
            )
            when 'failed' then format(
                ' and never delivered: %s (%s) failed on %s%s.',
                attempt_words, latest_words, csv_instant(latest_at), ': ' || latest_error
            )
            when 'pending' then format(
                ' and never delivered: %s (%s), begun on %s, never ended.',
                attempt_words, latest_words, csv_instant(latest_at)
            )
            when 'never_attempted' then ' and never delivered: no attempt was made.'
            when 'no_records' then format(
                ', and no delivery is known: %s until it was due on %s; perhaps the log is missing, not the delivery.',
                coalesce(
                    'the log of the servers of this product (' || servers || ') is silent at times',
                    'the log has no delivery of anything'
                ),
                csv_instant(due_at)
            )
            when 'refunded' then format(' and refunded on %s: nothing is owed any more.', csv_instant(refunded_at))
            when 'not_due' then format('; its delivery is due on %s, after as-of.', csv_instant(due_at))
            when 'before_books' then format(
                ', before the books begin on %s: no delivery is owed.', csv_instant(begin_at)
            )
            when 'no_books' then ': without any delivery in the log the books never began, and nothing is owed.'
            when 'not_asked' then ': it is fetched on demand, and was not requested yet.'
            when 'not_ours' then format(': the catalogue says delivery %s, so our servers owe nothing.', delivery)
            when 'other_environment' then format(
                ' in %s, which is not among the configured environments: nothing is owed or found.', environment
            )
            when 'not_listed' then format(
                ': the catalogue does not list %s, so nothing is owed for it.', product_id
            )
            when 'no_purchase' then format(
                ': only restores of %s are known, never the purchase itself, so nothing is owed.',
                original_transaction_id
            )
            else format(', and nothing is owed: its disposition is %s.', disposition)
        end,
        case
            when cause = 'delivered' and refunded_at is not null
                then format(' Refunded on %s.', csv_instant(refunded_at))
        end,
        case
            when cause = 'delivered' and not is_listed
                then format(' The catalogue does not list %s.', product_id)
        end,
        ' Best possible match: ' || match_words || '.'
    ) as sentence,
    product_id,
    coalesce(owed_transaction_id, transaction_id) as transaction_id,
    owed_delivery as delivery,
    csv_instant(due_at) as due_at,
    attempts
from reasoned
order by environment, purchased_at, thing_key
