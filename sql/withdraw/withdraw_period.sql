-- Returns one row for each closed period in whose pack records of a file count: purchases and refunds that its evidence
-- shows, and amounts with list prices of its products in the currencies of its catalogue, for any storefront.
--
-- What became known after its day was closed is in the pack of the period that was closed next. What no later closing
-- has is in no pack.
--
-- Evidence that the file repeats with the youngest age counts too, because it can reverse a refund or keep one. A
-- reversed refund has no entry, but without the file it counts on its day, so the period of that day is in the result.
--
-- A purchase counts under one id, and its price and its refund can be known under another one. So all ids of a purchase
-- are looked up (judge_member.sql): those of its line item, and those of its chain and product that were purchased in
-- the same second, because one of them can lack the line item; or, if it is no subscription, those of its chain and
-- product. The tables between are of their own because the ledger can be distributed.
--
-- Takes  tieout.withdrawn: a JSON object with the file's sha256 in hexadecimal digits.
-- Gives  period, state
drop table if exists
    counted_file, named_transaction, named_purchase, reversible_refund, counted_transaction, counted_entry;

-- Nothing is looked up if no period is closed.
create temporary table counted_file on commit drop as
select file_id
from input_file
where
    sha256 = decode(current_setting('tieout.withdrawn')::json ->> 'sha256', 'hex')
    and exists (select from period_closing where reopened_at is null);

create temporary table named_transaction on commit drop as
select
    transaction_number,
    environment_code,
    shows_no_refund(is_signed_transaction, cancelled_at, is_upgraded) as is_without_refund
from stored_evidence
where file_id = any((select array_agg(counted_file.file_id) from counted_file)::integer[])
union
-- The age of a lone piece decides nothing. The rows of the others are read, because an index would slow down each load.
select
    transaction_number,
    environment_code,
    shows_no_refund(is_signed_transaction, cancelled_at, is_upgraded)
from stored_evidence
where
    not is_lone
    and last_file_id = any((select array_agg(counted_file.file_id) from counted_file)::integer[]);

analyze named_transaction;

create temporary table reversible_refund on commit drop as
select distinct
    transaction_number,
    environment_code,
    stored_evidence.cancelled_at
from named_transaction
inner join stored_evidence using (transaction_number, environment_code)
where
    named_transaction.is_without_refund
    and stored_evidence.cancelled_at is not null
    and not stored_evidence.is_upgraded;

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

-- A purchase can have thousands of copies, so each is looked up once.
create temporary table counted_transaction on commit drop as
select
    transaction_number,
    environment_code
from named_transaction
union
select
    sibling.transaction_number,
    environment_code
from (
    select distinct environment_code, line_item_number
    from named_purchase
    where is_subscription and line_item_number is not null
) as named
inner join store_transaction as sibling using (environment_code, line_item_number)
union
select
    sibling.transaction_number,
    environment_code
from (
    select distinct environment_code, original_number, product_number, first_purchased_at
    from named_purchase
    where is_subscription
) as named
inner join store_transaction as sibling using (environment_code, original_number, product_number, first_purchased_at)
union
select
    sibling.transaction_number,
    environment_code
from named_purchase
inner join store_transaction as sibling using (environment_code, original_number, product_number)
where not named_purchase.is_subscription;

analyze counted_transaction;

create temporary table counted_entry on commit drop as
select
    transaction_number,
    environment_code,
    carried_entry.kind_code,
    carried_entry.day
from counted_transaction
inner join carried_entry using (transaction_number, environment_code)
union
select
    reversible_refund.transaction_number,
    reversible_refund.environment_code,
    entry_kind_code('refunded'),
    (reversible_refund.cancelled_at at time zone (run.settings ->> 'time_zone'))::date
from reversible_refund
cross join period_closing
inner join run on period_closing.run_id = run.run_id
where period_closing.reopened_at is null
union
select
    carried_entry.transaction_number,
    carried_entry.environment_code,
    carried_entry.kind_code,
    carried_entry.day
from carried_entry
inner join recorded_product using (product_number)
where
    carried_entry.price_source_code = price_source_code('catalogue')
    and (recorded_product.product_id, carried_entry.currency) in (
        select
            catalogue_fact.product_id,
            catalogue_fact.currency
        from catalogue_fact
        where
            catalogue_fact.file_id in (select counted_file.file_id from counted_file)
            and catalogue_fact.member = 'price'
    )
    and exists (
        select
        from period_closing
        where
            period_closing.reopened_at is null
            and carried_entry.day between period_closing.first_day and period_closing.last_day
    );

analyze counted_entry;

with

closed as (

    select
        closing_id,
        period,
        first_day,
        last_day,
        run_id,
        -- The night up to which changes of closed periods are in earlier packs (period_amount.sql).
        max(run_id) over (order by closing_id rows between unbounded preceding and 1 preceding) as swept_run_id
    from period_closing
    where reopened_at is null

),

-- The runs that changed an entry since its day was closed.
moved as (

    select
        closed.closing_id,
        counted_entry.transaction_number,
        counted_entry.environment_code,
        counted_entry.kind_code,
        restated_entry.run_id,
        -- It did not count before this run.
        bool_and(restated_entry.is_added) as is_new
    from closed
    inner join counted_entry on counted_entry.day between closed.first_day and closed.last_day
    inner join restated_entry
        on counted_entry.transaction_number = identifier_number(restated_entry.transaction_id)
        and counted_entry.environment_code = environment_code(restated_entry.environment)
        and counted_entry.kind_code = entry_kind_code(restated_entry.kind)
        and restated_entry.day between closed.first_day and closed.last_day
        and closed.run_id < restated_entry.run_id
    group by
        closed.closing_id,
        counted_entry.transaction_number,
        counted_entry.environment_code,
        counted_entry.kind_code,
        restated_entry.run_id

),

first_moved as (

    select distinct on (closing_id, transaction_number, environment_code, kind_code) *
    from moved
    order by closing_id, transaction_number, environment_code, kind_code, run_id

),

holding as (

    -- The pack of the day has an entry that no run has added since then.
    select closed.closing_id
    from closed
    inner join counted_entry on counted_entry.day between closed.first_day and closed.last_day
    left join first_moved
        on closed.closing_id = first_moved.closing_id
        and counted_entry.transaction_number = first_moved.transaction_number
        and counted_entry.environment_code = first_moved.environment_code
        and counted_entry.kind_code = first_moved.kind_code
    where first_moved.is_new is not true
    union
    select later.closing_id
    from moved
    inner join closed as later
        on moved.closing_id < later.closing_id
        and moved.run_id > later.swept_run_id
        and moved.run_id <= later.run_id

)

select
    closed.period,
    period_state.state
from holding
inner join closed on holding.closing_id = closed.closing_id
inner join period_state on closed.closing_id = period_state.closing_id
order by closed.first_day
