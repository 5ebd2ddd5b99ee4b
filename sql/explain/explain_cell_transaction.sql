-- Returns the transactions of the explained row's product with a date in its period, at most 5000.
--
-- A day in another time zone begins at most a day earlier or later, so a margin of two days is enough.
--
-- Takes  cell_row (explain_cell_row.sql)
with

dated as (

    select
        store_transaction.transaction_id,
        dates.at
    from cell_row
    inner join recorded_product on cell_row.product_id = recorded_product.product_id
    inner join store_transaction on recorded_product.product_number = store_transaction.product_number
    cross join lateral (
        values
        (store_transaction.first_purchased_at),
        (store_transaction.first_original_purchased_at),
        (store_transaction.cancelled_at)
    ) as dates (at)
    where cell_row.is_asked
    union all
    -- Of several refunds, a later one can count (judge_refund.sql).
    select
        store_transaction.transaction_id,
        stored_evidence.cancelled_at
    from cell_row
    inner join recorded_product on cell_row.product_id = recorded_product.product_id
    inner join store_transaction on recorded_product.product_number = store_transaction.product_number
    inner join stored_evidence using (environment_code, transaction_number)
    where cell_row.is_asked and store_transaction.is_refund_questioned
    union all
    select
        client_transaction.transaction_id,
        client_transaction.occurred_at
    from cell_row
    inner join client_transaction on cell_row.product_id = client_transaction.product_id
    where cell_row.is_asked and client_transaction.state = 'restored'

)

select distinct dated.transaction_id
from dated
cross join cell_row
where
    cell_row.is_asked
    and dated.at >= cell_row.period_begin - 2
    and dated.at < cell_row.period_end + 3
order by dated.transaction_id
limit 5000
