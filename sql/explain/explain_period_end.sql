-- Returns one row for each explained purchase of a subscription whose last known period has ended, in words.
--
-- The periods of all purchases with its original transaction and product count, also if each of them owes its own
-- delivery.
--
-- Takes  purchase (explain_purchase.sql).
-- Gives  environment, thing_key, ended_at, words, event_words
with

subscription as (

    select
        environment,
        original_transaction_id,
        product_id,
        ended_at,
        bought_at,
        refunded_end_at,
        -- A customer can change to another product of the same subscription group. Of two periods with the same end,
        -- the one that was bought later is the last.
        first_value(product_id) over (
            partition by environment, original_transaction_id
            order by ended_at desc nulls last, bought_at desc nulls last, identifier_order(transaction_id) desc
        ) as last_product_id
    from (
        select
            member.environment,
            member.original_transaction_id,
            member.product_id,
            max(member.expires_at) filter (where family.refunded_at is null) as ended_at,
            max(member.purchased_at) filter (where family.refunded_at is null and member.place = 1) as bought_at,
            (
                array_agg(
                    member.transaction_id
                    order by member.purchased_at desc, identifier_order(member.transaction_id) desc
                ) filter (where family.refunded_at is null and member.place = 1)
            )[1] as transaction_id,
            max(member.expires_at) filter (where family.refunded_at is not null) as refunded_end_at
        from member
        inner join family using (environment, family_key)
        where member.product_type = 'auto_renewable'
        group by member.environment, member.original_transaction_id, member.product_id
    ) as grouped

)

select
    purchase.environment,
    purchase.thing_key,
    subscription.ended_at,
    case
        when subscription.last_product_id <> subscription.product_id
            then format(
                'The last period of %s that %s ended on %s; a later one is of %s.',
                quoted_name(subscription.product_id),
                case
                    when subscription.refunded_end_at > subscription.ended_at then 'was not refunded'
                    else 'evidence contains'
                end,
                csv_instant(subscription.ended_at),
                quoted_name(subscription.last_product_id)
            )
        when subscription.refunded_end_at > subscription.ended_at
            then format('The last period that was not refunded ended on %s.', csv_instant(subscription.ended_at))
        else format(
            'The last period that evidence contains ended on %s; no renewal is known.',
            csv_instant(subscription.ended_at)
        )
    end as words,
    case
        when subscription.refunded_end_at > subscription.ended_at then 'its last period that was not refunded ends'
        else 'its last known period ends'
    end as event_words
from purchase
cross join night
inner join subscription using (environment, original_transaction_id, product_id)
where
    purchase.is_configured
    and subscription.ended_at <= night.as_of
    -- Evidence of a later period can lack its end.
    and subscription.bought_at < subscription.ended_at
