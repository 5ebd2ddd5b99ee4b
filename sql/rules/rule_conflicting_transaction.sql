-- Returns one finding for each transaction whose pieces of evidence differ in what cannot change.
--
-- Finds      transactions whose evidence names different products, original transactions or quantities, and those for
--            which unsigned evidence names a line item or a price that signed evidence does not name. A missing value
--            never conflicts. The view evidence shows the files.
--
-- Levels     error
-- Judges     purchases
-- Exception  match_pair.sql
-- Time       no
-- Reads      evidence, member, night
-- Gives      level, environment, reason, detail, family_key
-- Key        transaction_id
-- Resolved   records
-- Sentence   Its receipts disagree
-- Otherwise  explain_verdict.sql
with

-- Evidence is joined, not looked up by each member: it may be on other machines.
told as (

    select
        member.environment,
        member.transaction_id,
        member.family_key,
        evidence.product_id,
        evidence.original_transaction_id,
        evidence.quantity,
        evidence.trust,
        evidence.web_order_line_item_id,
        evidence.currency,
        evidence.price
    from member
    cross join night
    inner join evidence
        on member.environment = evidence.environment
        and member.transaction_number = evidence.transaction_number
    where
        member.is_configured
        and member.is_conflicting
        and (night.trust <> 'signed' or evidence.trust = 'signed')

)

select
    'error' as level,
    environment,
    transaction_id,
    null as reason,
    concat_ws(
        ', ',
        case
            when count(distinct told.product_id) > 1
                then 'product_id: ' || string_agg(distinct told.product_id, ' or ' order by told.product_id)
        end,
        case
            when count(distinct told.original_transaction_id) > 1
                then
                    'original_transaction_id: '
                    || (
                        select string_agg(named.id, ' or ' order by identifier_order(named.id))
                        from unnest(array_agg(distinct told.original_transaction_id)) as named (id)
                    )
        end,
        case
            when count(distinct told.quantity) > 1
                then 'quantity: ' || array_to_string(array_agg(distinct told.quantity order by told.quantity), ' or ')
        end,
        case
            when
                count(distinct told.web_order_line_item_id)
                > nullif(count(distinct told.web_order_line_item_id) filter (where told.trust = 'signed'), 0)
                then
                    'web_order_line_item_id: '
                    || (
                        select string_agg(named.id, ' or ' order by identifier_order(named.id))
                        from unnest(array_agg(distinct told.web_order_line_item_id)) as named (id)
                    )
        end,
        case
            when
                count(distinct told.currency || trim_scale(told.price))
                > nullif(
                    count(distinct told.currency || trim_scale(told.price)) filter (where told.trust = 'signed'), 0
                )
                then
                    'price: '
                    || string_agg(
                        distinct trim_scale(told.price) || ' ' || told.currency,
                        ' or '
                        order by trim_scale(told.price) || ' ' || told.currency
                    )
        end
    ) as detail,
    family_key
from told
group by environment, transaction_id, family_key
