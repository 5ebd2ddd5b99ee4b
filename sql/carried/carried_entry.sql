-- Returns one row for each sale, refund and upgrade that revenue counts, with its own day and instant.
--
-- months.csv has the sums of these rows. The rows say which transactions changed a month that is published
-- (restated_change.sql). An unknown currency is the empty text, as in carried_month.sql.
select
    environment_code(environment) as environment_code,
    transaction_number,
    entry_kind_code('sold') as kind_code,
    sold_on as day,
    purchased_at as at,
    product_number,
    coalesce(currency, '') as currency,
    price_source_code(price_source) as price_source_code,
    quantity::integer as units,
    amount,
    scale(amount)::smallint as amount_scale
from sale
inner join recorded_product using (product_id)
union all
select
    environment_code(environment),
    transaction_number,
    entry_kind_code(case when is_upgrade then 'upgraded' else 'refunded' end),
    refunded_on,
    refunded_at,
    product_number,
    coalesce(currency, ''),
    price_source_code(price_source),
    quantity::integer,
    -- An upgrade gives nothing back.
    case when not is_upgrade then refund end,
    scale(case when not is_upgrade then refund end)::smallint
from sale
inner join recorded_product using (product_id)
where refunded_on is not null
