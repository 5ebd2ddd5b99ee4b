-- Returns one row for each closed period in whose amounts records of a file count: purchases and refunds that its
-- evidence shows, and list prices of products about which it has catalogue facts.
--
-- A purchase counts under one id, and its price and its refund can be known under another one. So all ids of a purchase
-- are looked up (judge_member.sql): those of its line item, and those of its chain and product that were purchased in
-- the same second, because one of them can lack the line item; or, if it is no subscription, those of its chain and
-- product. The tables between are of their own because the ledger can be distributed.
--
-- Takes  tieout.withdrawn: a JSON object with the file's sha256 in hexadecimal digits.
-- Gives  period, state
drop table if exists counted_file, named_transaction, named_purchase, counted_transaction;

-- Nothing is looked up if no period is closed.
create temporary table counted_file on commit drop as
select file_id
from input_file
where
    sha256 = decode(current_setting('tieout.withdrawn')::json ->> 'sha256', 'hex')
    and exists (select from period_closing where reopened_at is null);

create temporary table named_transaction on commit drop as
select distinct
    transaction_number,
    environment_code
from stored_evidence
where file_id = any((select array_agg(counted_file.file_id) from counted_file)::integer[]);

analyze named_transaction;

create temporary table named_purchase on commit drop as
select distinct
    environment_code,
    store_transaction.original_number,
    store_transaction.line_item_number,
    store_transaction.product_number,
    store_transaction.first_purchased_at,
    coalesce(
        store_transaction.product_type = 'auto_renewable', store_transaction.line_item_number is not null
    ) as is_subscription
from named_transaction
inner join store_transaction using (transaction_number, environment_code);

analyze named_purchase;

create temporary table counted_transaction on commit drop as
select
    transaction_number,
    environment_code
from named_transaction
union
select
    sibling.transaction_number,
    environment_code
from named_purchase
inner join store_transaction as sibling using (environment_code, line_item_number)
where named_purchase.is_subscription
union
select
    sibling.transaction_number,
    environment_code
from named_purchase
inner join store_transaction as sibling using (environment_code, original_number, product_number, first_purchased_at)
where named_purchase.is_subscription
union
select
    sibling.transaction_number,
    environment_code
from named_purchase
inner join store_transaction as sibling using (environment_code, original_number, product_number)
where not named_purchase.is_subscription;

analyze counted_transaction;

with

entry as (

    select carried_entry.day
    from counted_transaction
    inner join carried_entry using (transaction_number, environment_code)
    union
    select carried_entry.day
    from catalogue_fact
    inner join recorded_product on catalogue_fact.product_id = recorded_product.product_id
    inner join carried_entry on recorded_product.product_number = carried_entry.product_number
    where
        catalogue_fact.file_id in (select counted_file.file_id from counted_file)
        and catalogue_fact.member = 'price'
        and carried_entry.price_source_code = price_source_code('catalogue')

)

select
    period_closing.period,
    period_state.state
from period_closing
inner join period_state on period_closing.closing_id = period_state.closing_id
where
    period_closing.reopened_at is null
    and exists (
        select 1
        from entry
        where entry.day between period_closing.first_day and period_closing.last_day
    )
order by period_closing.first_day
