-- Inserts the amounts of a closing: its own days as they are known now, and what has changed since the closing before
-- in periods that were closed then.
--
-- Every sum of a closed period is then in exactly one closing; period_balance.sql asserts it.
--
-- Takes  tieout.closing: the id of the closing
with

closing as (

    select *
    from period_closing
    where closing_id = current_setting('tieout.closing')::integer

),

-- The night up to which changes of closed periods are in a closing already.
swept as (

    select max(earlier.run_id) as run_id
    from period_closing as earlier
    inner join closing on earlier.closing_id < closing.closing_id
    where earlier.reopened_at is null

)

insert into period_amount (
    closing_id, origin_closing_id, cause, product_id, currency, price_source, kind, units, amount
)
select
    closing.closing_id,
    closing.closing_id,
    '',
    recorded_product.product_id,
    entry.currency,
    price_source_name(entry.price_source_code),
    entry_kind_name(entry.kind_code),
    sum(entry.units),
    sum(entry.amount)
from closing
inner join carried_entry as entry on entry.day between closing.first_day and closing.last_day
inner join recorded_product on entry.product_number = recorded_product.product_number
group by closing.closing_id, recorded_product.product_id, entry.currency, entry.price_source_code, entry.kind_code
union all
select
    closing.closing_id,
    origin.closing_id,
    entry.cause,
    entry.product_id,
    entry.currency,
    entry.price_source,
    entry.kind,
    sum(entry.units),
    sum(entry.amount)
from closing
cross join swept
inner join period_closing as origin
    on origin.closing_id < closing.closing_id and origin.reopened_at is null
inner join restated_entry as entry
    on entry.day between origin.first_day and origin.last_day
    and entry.run_id > swept.run_id
    and entry.run_id <= closing.run_id
where entry.kind <> 'missing'
group by
    closing.closing_id,
    origin.closing_id,
    entry.cause,
    entry.product_id,
    entry.currency,
    entry.price_source,
    entry.kind
