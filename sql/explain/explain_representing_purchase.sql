-- Returns one row for each explained purchase: the purchase that represents its chain, a completed one if there is one,
-- with the refunds of the chain.
--
-- Takes  thing.
-- Gives  the columns below; thing_key: the key of the obligation; refund_words: the latest refund, if the whole chain
--        is refunded; refunded_periods: how many periods are refunded, if not all of them are
select
    purchase.*,
    case
        when is_refunded
            then format(
                '%s%s on %s%s',
                refund_verb,
                ' in part (' || refund_part || ')',
                csv_instant(refunded_at),
                case when is_upgrade then ' by an upgrade' end
            )
    end as refund_words,
    case
        when refunds > 0 and not is_refunded
            then format(
                '%s of %s periods %s %s (%stransaction %s on %s%s)',
                refunds,
                families,
                case refunds when 1 then 'was' else 'were' end,
                case when refunds = 1 then refund_verb else 'refunded' end,
                case when refunds > 1 then 'the latest: ' end,
                refunded_transaction_id,
                csv_instant(refunded_at),
                ', in part: ' || refund_part
            )
    end as refunded_periods
from (
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
        bool_and(family.refunded_at is not null) over chain as is_refunded,
        count(*) over chain as families,
        count(family.refunded_at) over chain as refunds,
        first_value(family.transaction_id) over latest_refund as refunded_transaction_id,
        first_value(family.is_upgrade) over latest_refund as is_upgrade,
        -- Nobody paid for a free or a shared purchase.
        case first_value(family.disposition) over latest_refund
            when 'family_shared' then 'no longer shared'
            when 'free' then 'cancelled'
            else 'refunded'
        end as refund_verb,
        -- Null if the whole price was given back.
        trim_scale(nullif(first_value(family.refund_percentage) over latest_refund, whole_refund()) * 0.001) || ' %'
            as refund_part
    from thing
    inner join family
        on thing.environment = family.environment and thing.thing_key = family.obligation_key
    window
        chain as (partition by family.environment, family.obligation_key),
        latest_refund as (
            partition by family.environment, family.obligation_key
            order by family.refunded_at desc nulls last, identifier_order(family.transaction_id)
        )
    order by
        family.environment,
        family.obligation_key,
        family.is_completed desc,
        representative_first(family.refunded_at, family.purchased_at, family.transaction_id)
) as purchase
