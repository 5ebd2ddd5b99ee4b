-- Returns the five best possible matches of each explained missing delivery, ranked, with the difference
-- (carried_near_miss.sql).
--
-- They are shown, and never joined to the purchase.
--
-- Takes  thing, near_miss.
select
    missing.environment,
    missing.obligation_key as thing_key,
    near_miss.place,
    near_miss.delivery_id,
    near_miss.differs,
    case near_miss.differs
        when 'product_id'
            then format('the right transaction, but %s was delivered', near_miss.delivered_product_id)
        when 'environment'
            then format('the right transaction and product, but in %s', near_miss.delivered_environment)
        when 'transaction_id'
            then format(
                'the right product%s, but with transaction %s, which %s',
                case when near_miss.delivered_account_id = missing.account_id then ' to the same account' else '' end,
                near_miss.delivered_transaction_id,
                case
                    when near_miss.delivered_transaction_id = any(spellings(missing.transaction_id))
                        then 'is another spelling of the same id'
                    else 'no evidence contains'
                end
            )
        else
            format(
                'the same product to the same account, but with transaction %s, a purchase of its own (weaker)',
                near_miss.delivered_transaction_id
            )
    end as words,
    near_miss.delivered_transaction_id as transaction_id,
    near_miss.delivered_product_id as product_id,
    near_miss.delivered_environment,
    near_miss.delivered_account_id as account_id,
    near_miss.server,
    csv_instant(near_miss.occurred_at) as occurred_at,
    input_file.path as file,
    near_miss.line
from thing
inner join carried_missing_delivery as missing
    on thing.environment = missing.environment
    and thing.thing_key = missing.obligation_key
inner join near_miss
    on missing.environment = near_miss.environment
    and missing.obligation_key = near_miss.obligation_key
left join input_file using (file_id)
order by missing.environment, missing.obligation_key, near_miss.place
