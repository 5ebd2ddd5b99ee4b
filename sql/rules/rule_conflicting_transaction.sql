-- Returns one finding for each transaction whose pieces of evidence differ in what cannot change.
--
-- Finds      transactions whose evidence names different products, original transactions or quantities, and those for
--            which unsigned evidence names a line item or a price that signed evidence does not name. A missing value
--            never conflicts. The table evidence shows the files.
--
-- Levels     error
-- Judges     purchases
-- Exception  match_pair.sql
-- Time       no
-- Reads      evidence, member, night
-- Gives      level, environment, reason, detail, family_key
-- Key        transaction_id
-- Sentence   Its evidence contradicts itself
-- Otherwise  explain_verdict.sql
select
    'error' as level,
    member.environment,
    member.transaction_id,
    null as reason,
    (
        select
            concat_ws(
                ', ',
                case
                    when count(distinct evidence.product_id) > 1
                        then 'product_id: ' || string_agg(distinct evidence.product_id, ' or ')
                end,
                case
                    when count(distinct evidence.original_transaction_id) > 1
                        then
                            'original_transaction_id: '
                            || string_agg(distinct evidence.original_transaction_id, ' or ')
                end,
                case
                    when count(distinct evidence.quantity) > 1
                        then 'quantity: ' || array_to_string(array_agg(distinct evidence.quantity), ' or ')
                end,
                case
                    when
                        bool_or(evidence.trust = 'signed')
                        and count(distinct evidence.web_order_line_item_id) > 1
                        then
                            'web_order_line_item_id: '
                            || string_agg(distinct evidence.web_order_line_item_id, ' or ')
                end,
                case
                    when
                        bool_or(evidence.trust = 'signed')
                        and count(distinct evidence.currency || trim_scale(evidence.price)) > 1
                        then
                            'price: '
                            || string_agg(
                                distinct trim_scale(evidence.price) || ' ' || evidence.currency, ' or '
                            )
                end
            )
        from evidence
        where
            (night.trust <> 'signed' or evidence.trust = 'signed')
            and evidence.environment = member.environment
            and evidence.transaction_number = member.transaction_number
    ) as detail,
    member.family_key
from member
cross join night
where member.is_configured and member.is_conflicting
