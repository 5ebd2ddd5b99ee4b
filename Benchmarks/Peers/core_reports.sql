-- Writes the core reports from the tables entry, delivery and catalogue, for the peers in PostgreSQL.
--
-- psql runs it with the variables as_of and out, after core_tables.sql and the load.
\set ON_ERROR_STOP on
set work_mem = '512MB';
set timezone = 'UTC';

create unlogged table member as
select distinct on (transaction_id)
    transaction_id,
    original_transaction_id,
    product_id,
    purchased_ms,
    cancelled_ms,
    line_item,
    coalesce(line_item, original_transaction_id) as family,
    is_trial,
    is_shared,
    storefront
from entry
order by transaction_id;

create unlogged table product as
select
    listed ->> 'product_id' as product_id,
    listed ->> 'delivery' as delivery,
    listed ->> 'delivery_per' as delivery_per
from catalogue
cross join jsonb_array_elements(document -> 'products') as listed;

create unlogged table price as
select
    listed ->> 'product_id' as product_id,
    priced ->> 'storefront' as storefront,
    priced ->> 'currency' as currency,
    (priced ->> 'price')::numeric(18, 2) as price
from catalogue
cross join jsonb_array_elements(document -> 'products') as listed
cross join jsonb_array_elements(listed -> 'prices') as priced;

analyze member, delivery, product, price;

create unlogged table restored as
select
    family,
    count(*) - 1 as restored,
    min(transaction_id) as completed,
    max(purchased_ms) as last_restored_ms
from member
group by family
having count(*) > 1;

create unlogged table completed as
select member.*
from member
left join restored using (family)
where restored.family is null or member.transaction_id = restored.completed;

analyze restored, completed;

-- Milliseconds since 1970.
select extract(epoch from :'as_of'::timestamptz)::bigint * 1000 as as_of_ms \gset
select (date_trunc('month', :'as_of'::timestamp) - interval '1 month')::date - '1970-01-01'::date
    as since \gset

\o :out/invalid_product_ids.csv
copy (
    select
        product_id,
        sum(transactions) as transactions,
        sum(deliveries) as deliveries
    from (
        select product_id, count(*) as transactions, 0 as deliveries from member group by product_id
        union all
        select product_id, 0, count(*) from delivery group by product_id
    ) as seen
    where product_id not in (select product_id from product)
    group by product_id
    order by product_id
) to stdout (format csv, header);

\o :out/missing_deliveries.csv
copy (
    with

    owed as (

        select
            case
                when line_item is not null and delivery_per = 'period' then line_item
                else original_transaction_id
            end as obligation,
            min(transaction_id) as transaction_id,
            min(purchased_ms) as purchased_ms,
            min(delivery) as delivery,
            bool_and(cancelled_ms is not null) as is_refunded
        from completed
        inner join product using (product_id)
        where delivery in ('server', 'on_demand')
        group by obligation

    ),

    attempt as (

        select
            case
                when line_item is not null and delivery_per = 'period' then line_item
                else original_transaction_id
            end as obligation,
            bool_or(delivery.status = 'delivered') as is_delivered
        from delivery
        inner join member using (transaction_id)
        inner join product on member.product_id = product.product_id
        group by obligation

    )

    select owed.transaction_id
    from owed
    left join attempt using (obligation)
    where
        owed.purchased_ms + 86400000 <= :as_of_ms
        and owed.purchased_ms
        >= (select extract(epoch from min(occurred_at))::bigint * 1000 from delivery)
        and not owed.is_refunded
        and not coalesce(attempt.is_delivered, false)
        and (owed.delivery = 'server' or attempt.is_delivered is not null)
    order by owed.transaction_id
) to stdout (format csv, header);

\o :out/duplicate_restores.csv
copy (
    with

    candidate as (

        select *
        from restored
        where restored > 1 and last_restored_ms + 30 * 86400000::bigint >= :as_of_ms

    ),

    inside as (

        select member.transaction_id, member.family
        from member
        inner join candidate using (family)

    ),

    device as (

        select family, count(distinct device_id) as devices
        from (
            select family, device_id from inside inner join entry using (transaction_id)
            union all
            select family, device_id from inside inner join delivery using (transaction_id)
        ) as named
        group by family

    )

    select
        completed.original_transaction_id,
        completed.product_id,
        completed.line_item as web_order_line_item_id,
        candidate.restored - greatest(1, device.devices) as surplus_transactions
    from candidate
    inner join device using (family)
    inner join completed using (family)
    where candidate.restored > greatest(1, device.devices)
    order by 1, 2, 3
) to stdout (format csv, header);

\o :out/revenue.csv
copy (
    with

    sale as (

        select
            purchased_ms,
            cancelled_ms,
            product_id,
            storefront,
            case when not is_trial then currency end as currency,
            case when not is_trial then price end as price
        from completed
        left join price using (product_id, storefront)
        where
            not is_shared
            and (purchased_ms / 86400000 >= :since or cancelled_ms / 86400000 >= :since)

    ),

    entry as (

        select
            purchased_ms / 86400000 as day,
            product_id,
            storefront,
            currency,
            1 as sold,
            price as gross,
            0 as refunded,
            price * 0 as refunds
        from sale
        union all
        select cancelled_ms / 86400000, product_id, storefront, currency, 0, price * 0, 1, price
        from sale
        where cancelled_ms is not null

    )

    select
        '1970-01-01'::date + day::integer as day,
        product_id,
        storefront,
        currency,
        sum(sold) as units_sold,
        sum(gross)::numeric(18, 2) as gross,
        sum(refunded) as units_refunded,
        sum(refunds)::numeric(18, 2) as refunds
    from entry
    where day >= :since
    group by 1, 2, 3, 4
    order by 1, 2, 3, 4 nulls first
) to stdout (format csv, header);
