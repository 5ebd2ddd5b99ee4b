-- Conflicting transaction: two pieces of evidence differ in what cannot change.
--
-- Finds      transactions whose evidence names different products, original transactions or quantities.
--            What is missing never conflicts. The table evidence tells in which files it stands.
--
-- Gives  level, environment, subject, reason, detail
select
    'error' as level,
    member.environment,
    member.transaction_id as subject,
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
                end
            )
        from evidence
        where
            evidence.environment = member.environment
            and evidence.transaction_id = member.transaction_id
    ) as detail
from member
where member.is_configured and member.is_conflicting
