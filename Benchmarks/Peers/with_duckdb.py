"""The core reports with DuckDB, which reads the inbox itself: with_duckdb.py INBOX OUT AS_OF.

Simplifications that the generated data allow are listed in ../README.md.
"""

import sys

import duckdb

inbox, out, as_of = sys.argv[1:4]

base = duckdb.connect(config={"threads": 2})
base.execute("set timezone = 'UTC'")
base.execute("set preserve_insertion_order = false")
base.execute(f"set temp_directory = '{out}/spill'")
# Milliseconds since 1970.
base.execute(f"set variable as_of = epoch_ms('{as_of}'::timestamptz)")
base.execute(
    f"set variable since = date_trunc('month', '{as_of}'::timestamp) - interval 1 month")

base.execute(f"""
create temp table entry as
with document as (
    select device_id, storefront, unnest(list_concat(
        verifyReceiptResponse.receipt.in_app, verifyReceiptResponse.latest_receipt_info)) as entry
    from read_json('{inbox}/receipts/**/*.ndjson', format = 'newline_delimited', columns = {{
        device_id: 'varchar',
        storefront: 'varchar',
        verifyReceiptResponse: 'struct(
            receipt struct(in_app struct(
                product_id varchar, transaction_id bigint, original_transaction_id bigint,
                purchase_date_ms bigint, cancellation_date_ms bigint,
                web_order_line_item_id bigint, is_trial_period boolean,
                in_app_ownership_type varchar)[]),
            latest_receipt_info struct(
                product_id varchar, transaction_id bigint, original_transaction_id bigint,
                purchase_date_ms bigint, cancellation_date_ms bigint,
                web_order_line_item_id bigint, is_trial_period boolean,
                in_app_ownership_type varchar)[])'}})
)
select entry.transaction_id, entry.original_transaction_id, entry.product_id,
    entry.purchase_date_ms as purchased, entry.cancellation_date_ms as cancelled,
    entry.web_order_line_item_id as line_item, entry.is_trial_period as is_trial,
    entry.in_app_ownership_type = 'FAMILY_SHARED' as is_shared, storefront, device_id
from document;

create temp table member as
select transaction_id, any_value(original_transaction_id) as original_transaction_id,
    any_value(product_id) as product_id, any_value(purchased) as purchased,
    any_value(cancelled) as cancelled, any_value(line_item) as line_item,
    coalesce(any_value(line_item), any_value(original_transaction_id)) as family,
    any_value(is_trial) as is_trial, any_value(is_shared) as is_shared,
    any_value(storefront) as storefront
from entry group by transaction_id;

create temp table delivery as
select transaction_id, product_id, status, epoch_ms(occurred_at) as occurred, device_id
from read_csv('{inbox}/deliveries/**/*.csv', header = true, columns = {{
    delivery_id: 'varchar', transaction_id: 'bigint', product_id: 'varchar', status: 'varchar',
    occurred_at: 'timestamp', account_id: 'varchar', device_id: 'varchar', server: 'varchar',
    error: 'varchar'}});

create temp table listed as
select unnest(products) as product
from read_json('{inbox}/catalog/*.json', columns = {{
    products: 'struct(product_id varchar, delivery varchar, delivery_per varchar,
        prices struct(currency varchar, storefront varchar, price decimal(18, 2))[])[]'}});
create temp table product as
select product.product_id, product.delivery, product.delivery_per from listed;
create temp table price as
select product_id, price.storefront, price.currency, price.price
from (select product.product_id, unnest(product.prices) as price from listed);

create temp table restored as
select family, count(*) - 1 as restored, min(transaction_id) as completed,
    max(purchased) as last_restored
from member group by family having count(*) > 1;

create temp table completed as
select member.* from member
where transaction_id not in (
    select transaction_id from member join restored using (family)
    where transaction_id <> completed);
""")


def write(name, query):
    base.execute(f"copy ({query}) to '{out}/{name}.csv' (header, delimiter ',')")


write("invalid_product_ids", """
select product_id, sum(transactions) as transactions, sum(deliveries) as deliveries
from (
    select product_id, count(*) as transactions, 0 as deliveries from member group by product_id
    union all
    select product_id, 0, count(*) from delivery group by product_id
) where product_id not in (select product_id from product)
group by product_id order by product_id""")

write("missing_deliveries", """
with owed as (
    select
        case when line_item is not null and delivery_per = 'period' then line_item
            else original_transaction_id end as obligation,
        min(transaction_id) as transaction_id, min(purchased) as purchased,
        any_value(delivery) as delivery, bool_and(cancelled is not null) as is_refunded
    from completed join product using (product_id)
    where delivery in ('server', 'on_demand')
    group by obligation
), attempt as (
    select
        case when line_item is not null and delivery_per = 'period' then line_item
            else original_transaction_id end as obligation,
        bool_or(status = 'delivered') as is_delivered
    from delivery join member using (transaction_id)
        join product on member.product_id = product.product_id
    group by obligation
)
select transaction_id
from owed left join attempt using (obligation)
where purchased + 86400000 <= getvariable('as_of')
    and purchased >= (select min(occurred) from delivery)
    and not is_refunded
    and not coalesce(is_delivered, false)
    and (delivery = 'server' or is_delivered is not null)
order by transaction_id""")

write("duplicate_restores", """
with candidate as (
    select * from restored
    where restored > 1 and last_restored + 2592000000 >= getvariable('as_of')
), inside as (
    select member.transaction_id, family from member join candidate using (family)
), device as (
    select family, count(distinct device_id) as devices
    from (
        select family, device_id from inside join entry using (transaction_id)
        union all
        select family, device_id from inside join delivery using (transaction_id)
    ) group by family
)
select original_transaction_id, product_id, line_item as web_order_line_item_id,
    restored - greatest(1, devices) as surplus_transactions
from candidate join device using (family) join completed using (family)
where restored > greatest(1, devices)
order by original_transaction_id, product_id, line_item""")

write("revenue", """
with sale as (
    select purchased, cancelled, product_id, storefront,
        case when not is_trial then currency end as currency,
        case when not is_trial then price end as price
    from completed left join price using (product_id, storefront)
    where not is_shared
), entry as (
    select purchased // 86400000 as day, product_id, storefront, currency, 1 as sold, price as gross,
        0 as refunded, price * 0 as refunds
    from sale
    union all
    select cancelled // 86400000, product_id, storefront, currency, 0, price * 0, 1, price
    from sale where cancelled is not null
)
select '1970-01-01'::date + day::integer as day, product_id, storefront, currency,
    sum(sold) as units_sold, sum(gross)::decimal(18, 2) as gross,
    sum(refunded) as units_refunded, sum(refunds)::decimal(18, 2) as refunds
from entry
where day >= epoch_ms(getvariable('since')) // 86400000
group by all
order by day, product_id, storefront, currency nulls first""")
