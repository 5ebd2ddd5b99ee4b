-- Returns the five best possible matches of each explained missing delivery, ranked, with the difference
-- (carried_possible_match.sql).
--
-- They are shown, and never joined to the purchase. The words say if the delivery already belongs to another purchase,
-- if its transaction was bought after as-of, and if it was made before this purchase.
--
-- Takes  thing, possible_match, carried_missing_delivery of the affected part.
with

-- The deliveries with another transaction, which can belong to another purchase.
other as materialized (

    select distinct
        possible_match.delivery_id,
        possible_match.delivered_environment as environment,
        record.transaction_number,
        coalesce(record.original_number, record.transaction_number) as original_number,
        record.line_item_number,
        record.product_number
    from possible_match
    inner join tieout.stored_delivery as record
        on possible_match.delivery_id = record.delivery_id
        and possible_match.occurred_at = record.occurred_at
        and possible_match.file_id = record.file_id
        and possible_match.line is not distinct from record.line
    where possible_match.differs in ('transaction_id', 'other_purchase')

),

-- The transactions of these purchases. The whole ledger is read, because the affected part lacks them.
holder as materialized (

    select
        named.environment,
        named.transaction_number as named_number,
        null::bigint as named_product,
        1 as place,
        ledger.transaction_number,
        ledger.product_number,
        ledger.first_purchased_at
    from (select distinct environment, transaction_number from other) as named
    inner join tieout.store_transaction as ledger
        on named.transaction_number = ledger.transaction_number and named.environment = ledger.environment
    union all
    select
        named.environment,
        named.line_item_number,
        null,
        2,
        ledger.transaction_number,
        ledger.product_number,
        ledger.first_purchased_at
    from (select distinct environment, line_item_number from other) as named
    inner join tieout.store_transaction as ledger
        on named.line_item_number = ledger.line_item_number and named.environment = ledger.environment
    union all
    select
        named.environment,
        named.original_number,
        named.product_number,
        3,
        ledger.transaction_number,
        ledger.product_number,
        ledger.first_purchased_at
    from (select distinct environment, original_number, product_number from other) as named
    inner join tieout.store_transaction as ledger
        on named.original_number = ledger.original_number
        and named.product_number = ledger.product_number
        and named.environment = ledger.environment

),

-- One transaction for each name, so that a long chain is not joined with many deliveries.
first_holder as (

    select distinct on (environment, named_number, named_product, place)
        environment,
        named_number,
        named_product,
        place,
        transaction_number,
        product_number,
        first_purchased_at
    from holder
    order by environment, named_number, named_product, place, transaction_number

),

-- A delivery belongs to a purchase by its transaction, or else by its line item, or else by its original transaction.
belonging as (

    select distinct on (other.delivery_id)
        other.delivery_id,
        first_holder.place,
        identifier_text(first_holder.transaction_number) as transaction_id,
        first_holder.product_number = other.product_number as is_of_product,
        first_holder.first_purchased_at
    from other
    inner join first_holder
        on other.environment = first_holder.environment
        and case first_holder.place
            when 1 then other.transaction_number
            when 2 then other.line_item_number
            else other.original_number
        end = first_holder.named_number
        and coalesce(first_holder.named_product, other.product_number) = other.product_number
    order by other.delivery_id, first_holder.place

)

select
    missing.environment,
    missing.obligation_key as thing_key,
    possible_match.place,
    possible_match.delivery_id,
    possible_match.differs,
    concat(
        case possible_match.differs
            when 'product_id'
                then format(
                    'the right transaction, but %s was delivered',
                    quoted_name(possible_match.delivered_product_id)
                )
            when 'environment'
                then format('the right transaction and product, but in %s', possible_match.delivered_environment)
            when 'transaction_id'
                then format(
                    'the right product%s, but with transaction %s, which %s%s',
                    case when possible_match.delivered_account_id = missing.account_id then ' to the same account' end,
                    possible_match.delivered_transaction_id,
                    case
                        when possible_match.delivered_transaction_id = any(spellings(missing.transaction_id))
                            then 'is another spelling of the same id'
                        when belonging.place = 1 and belonging.first_purchased_at > night.as_of then format(
                            'was bought on %s, after as-of, and is not considered yet',
                            csv_instant(belonging.first_purchased_at)
                        )
                        else 'no evidence contains'
                    end,
                    case
                        when belonging.place > 1 then format(
                            '; by its %s it already serves another purchase, transaction %s (weaker)',
                            case belonging.place when 2 then 'line item' else 'original transaction' end,
                            belonging.transaction_id
                        )
                    end
                )
            else
                format(
                    'the same product to the same account, but %s (weaker)',
                    case
                        when belonging.is_of_product then format(
                            'it already serves another purchase, transaction %s',
                            possible_match.delivered_transaction_id
                        )
                        else format(
                            'with transaction %s, a purchase of another product',
                            possible_match.delivered_transaction_id
                        )
                    end
                )
        end,
        case
            when possible_match.differs in ('transaction_id', 'other_purchase')
                and possible_match.occurred_at < missing.purchased_at
                then '; it was made before this purchase'
        end
    ) as words,
    possible_match.delivered_transaction_id as transaction_id,
    possible_match.delivered_product_id as product_id,
    possible_match.delivered_account_id as account_id,
    possible_match.server,
    csv_instant(possible_match.occurred_at) as occurred_at,
    input_file.path as file,
    possible_match.line
from thing
cross join night
inner join carried_missing_delivery as missing
    on thing.environment = missing.environment
    and thing.thing_key = missing.obligation_key
inner join possible_match
    on missing.environment = possible_match.environment
    and missing.obligation_key = possible_match.obligation_key
left join belonging on possible_match.delivery_id = belonging.delivery_id
left join input_file using (file_id)
