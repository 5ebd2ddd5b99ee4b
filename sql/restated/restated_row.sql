-- Lists how tonight changed what was published about ended months: each transaction as it counted before and as it
-- counts now, and the transactions whose records can be the cause.
--
-- They are tables of their own with statistics: there are few of them, and without knowing that the planner would read
-- the whole ledger (restated_change.sql).
--
-- Takes          changed_entry: the rows that tonight has removed from carried_entry (is_before) and inserted into it;
--                the tables of restated_start.sql and restated_missing.sql; member: the judged part; the whole ledger.
-- Leaves behind  restated_transaction: each transaction before and after, without those that count as before;
--                is_moved_by_zone: only its day differs, because another time zone gives the same instant another day;
--                restated_row: the two rows of each, with the as-of of what was published or closed;
--                concerned_transaction: those whose records can be the cause;
--                withdrawn_before: those that a withdrawn file changed before, if such a file counts again.

create temporary table restated_transaction on commit drop as
with

-- The few transactions with an entry of a published or closed day, or of a missing delivery.
restated as materialized (

    select transaction_number
    from changed_entry
    where
        day < (select max(month) + interval '1 month' from published_as_of)
        or day <= (select max(last_day) from closed_as_of)
    union
    select member.transaction_number
    from missing_change
    inner join member using (environment, obligation_key)
    where member.transaction_number is not null

)

select
    environment_code,
    transaction_number,
    environment_name(environment_code) as environment,
    identifier_text(transaction_number) as transaction_id,
    identifier_text(transaction_number) as transaction_before,
    entry_kind_name(kind_code) as kind,
    before.day as day_before,
    (
        select recorded_product.product_id
        from recorded_product
        where recorded_product.product_number = before.product_number
    ) as product_before,
    before.currency as currency_before,
    price_source_name(before.price_source_code) as source_before,
    before.units as units_before,
    before.amount as amount_before,
    after.day,
    after.at,
    (
        select recorded_product.product_id
        from recorded_product
        where recorded_product.product_number = after.product_number
    ) as product_id,
    after.currency,
    price_source_name(after.price_source_code) as price_source,
    after.units,
    after.amount,
    null as obligation_key,
    not (
        (before.at, before.product_number, before.currency, before.price_source_code, before.units, before.amount)
        is distinct from (
            after.at, after.product_number, after.currency, after.price_source_code, after.units, after.amount
        )
    ) as is_moved_by_zone
from (select * from changed_entry where is_before) as before
full join (select * from changed_entry where not is_before) as after
    using (environment_code, transaction_number, kind_code)
where
    exists (select from last_done)
    and transaction_number in (select transaction_number from restated)
    and (before.day, before.product_number, before.currency, before.price_source_code, before.units, before.amount)
    is distinct from (
        after.day, after.product_number, after.currency, after.price_source_code, after.units, after.amount
    )
union all
select *
from missing_change;

analyze restated_transaction;

create temporary table restated_row on commit drop as
select
    counted.*,
    part.*,
    coalesce(closed.as_of, published.as_of) as as_of
from restated_transaction as counted
cross join lateral (
    values
    (
        false, counted.transaction_before, counted.day_before, counted.product_before, counted.currency_before,
        counted.source_before, -counted.units_before, -counted.amount_before
    ),
    (
        true, counted.transaction_id, counted.day, counted.product_id, counted.currency, counted.price_source,
        counted.units, counted.amount
    )
) as part (is_added, its_transaction, its_day, its_product, its_currency, its_source, its_units, its_amount)
left join published_as_of as published on date_trunc('month', part.its_day::timestamp)::date = published.month
left join closed_as_of as closed on part.its_day between closed.first_day and closed.last_day
where published.month is not null or closed.as_of is not null;

analyze restated_row;

-- In a night that judges in bulk, a purchase with several ids can be matched, and member does not contain it. So the
-- ids of a line item are found in the ledger.
create temporary table restated_line_item on commit drop as
select distinct
    environment_code,
    transaction_number,
    store_transaction.line_item_number
from restated_row
inner join tieout.store_transaction using (environment_code, transaction_number)
where restated_row.kind = 'sold' and store_transaction.line_item_number is not null;

analyze restated_line_item;

-- The transactions whose records can be the cause: of a missing delivery, all that it would serve; of a sale, a refund
-- or an upgrade, all ids of the purchase. A refund can be known under any of them, a price only under those of one line
-- item (judge_line_item_price.sql).
create temporary table concerned_transaction on commit drop as
select distinct
    environment,
    environment_code,
    transaction_id,
    kind,
    transaction_number,
    true as is_own
from restated_row
union
select
    restated_row.environment,
    restated_row.environment_code,
    restated_row.transaction_id,
    restated_row.kind,
    member.transaction_number,
    member.transaction_number = restated_row.transaction_number
from restated_row
inner join member
    on restated_row.environment = member.environment and restated_row.obligation_key = member.obligation_key
where member.transaction_number is not null
union
select
    restated_row.environment,
    restated_row.environment_code,
    restated_row.transaction_id,
    restated_row.kind,
    sibling.transaction_number,
    false
from restated_row
inner join member as own
    on restated_row.environment = own.environment and restated_row.transaction_id = own.transaction_id
inner join member as sibling
    on own.environment = sibling.environment and own.family_key = sibling.family_key
where restated_row.kind not in ('missing', 'sold') and sibling.transaction_number <> restated_row.transaction_number
union
select
    restated_row.environment,
    restated_row.environment_code,
    restated_row.transaction_id,
    restated_row.kind,
    sibling.transaction_number,
    false
from restated_row
inner join restated_line_item using (environment_code, transaction_number)
inner join tieout.store_transaction as sibling using (environment_code, line_item_number)
where restated_row.kind = 'sold' and sibling.transaction_number <> restated_row.transaction_number;

drop table restated_line_item;

analyze concerned_transaction;

create temporary table withdrawn_before on commit drop as
select distinct
    environment,
    transaction_id,
    kind
from restated_entry
where cause = 'file_withdrawn' and exists (select from restated_file where is_returned)
