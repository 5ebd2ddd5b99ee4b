-- Returns one row for each explained chain whose first purchase is in no evidence and may have been delivered before
-- the books begin: evidence of a renewal says that it was made before.
--
-- Takes  representing_purchase (explain_representing_purchase.sql), considered_transaction.
-- Gives  environment, thing_key, words: a part of a sentence
select
    purchase.environment,
    purchase.thing_key,
    format(
        'no evidence contains its first purchase (transaction %s of %s), which may have been delivered before the '
        'books begin on %s',
        purchase.original_transaction_id,
        csv_instant(renewal.original_purchased_at),
        csv_instant(books.begin_at)
    ) as words
from representing_purchase as purchase
cross join books
inner join considered_transaction as renewal
    on purchase.environment = renewal.environment and purchase.transaction_id = renewal.transaction_id
left join member as first_purchase
    on purchase.environment = first_purchase.environment
    and purchase.original_transaction_id = first_purchase.transaction_id
where
    purchase.is_completed
    -- Otherwise each period is owed its own delivery.
    and purchase.thing_key like 'c %'
    and renewal.original_purchased_at < books.begin_at
    and first_purchase.transaction_id is null
