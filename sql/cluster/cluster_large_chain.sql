-- Returns one row for each of the five largest chains that the rules have judged and that have more than 10,000 rows:
-- transactions, and delivery records that belong to them.
with

part as (

    select
        environment,
        original_transaction_id,
        product_id,
        count(*) as row_count
    from member
    group by environment, original_transaction_id, product_id
    union all
    select
        family.environment,
        family.original_transaction_id,
        family.product_id,
        count(*) as row_count
    from attempt
    inner join family using (environment, family_key)
    group by family.environment, family.original_transaction_id, family.product_id

)

select
    environment,
    original_transaction_id,
    product_id,
    sum(row_count) as total_rows
from part
group by environment, original_transaction_id, product_id
having sum(row_count) > 10000
order by total_rows desc, environment, identifier_order(original_transaction_id), product_id
limit 5
