-- Finds the environment of each of some delivery records, and whether it is the record of its delivery that applies.
--
-- A record that names no environment belongs to Sandbox if, by as-of, evidence contains its id only there
-- (own_environment). Unlike in judge_delivery.sql, restores that only apps report do not count. Most deliveries have
-- one record and are not sorted.
--
-- The rows of the ledger are looked up by inner joins with small tables, even while a night judges only a part.
--
-- Takes          named_record: delivery records by as-of, with delivery_id, content_hash, transaction_number and
--                environment, and drops it; product.
-- Leaves behind  known_transaction: the transactions that evidence contains under the ids of these records, also those
--                after as-of; placed_record: the rows of named_record, with known_environments: those in which evidence
--                contains the id by as-of, null if none; own_environment; is_standing: whether it applies at as-of

analyze named_record;

create temporary table known_transaction on commit drop as
select
    ledger.environment,
    ledger.transaction_number,
    ledger.original_number,
    ledger.product_number,
    ledger.product_type,
    ledger.expires_at,
    ledger.line_item_number,
    ledger.first_purchased_at,
    ledger.first_original_purchased_at
from (select distinct transaction_number from named_record) as named
inner join tieout.store_transaction as ledger on named.transaction_number = ledger.transaction_number;

-- All records of these deliveries.
create temporary table told_record on commit drop as
select record.*
from (select distinct delivery_id from named_record) as named
inner join tieout.stored_delivery as record on named.delivery_id = record.delivery_id
cross join night
where record.occurred_at <= night.as_of;

create temporary table placed_record on commit drop as
with

known as (

    select
        known_transaction.transaction_number,
        array_agg(distinct known_transaction.environment) as environments
    from known_transaction
    cross join night
    left join product on known_transaction.product_number = product.product_number
    where
        purchase_date(
            known_transaction.transaction_number = known_transaction.original_number,
            coalesce(product.type, known_transaction.product_type),
            known_transaction.expires_at,
            known_transaction.line_item_number,
            known_transaction.first_purchased_at,
            known_transaction.first_original_purchased_at
        ) <= night.as_of
    group by known_transaction.transaction_number

),

several as (

    select delivery_id
    from told_record
    group by delivery_id
    having count(*) > 1

),

standing as (

    select distinct on (record.delivery_id)
        record.delivery_id,
        record.content_hash
    from told_record as record
    inner join recorded_product on record.product_number = recorded_product.product_number
    where record.delivery_id in (select delivery_id from several)
    order by
        record.delivery_id,
        standing_first(
            record.revision,
            record.occurred_at,
            status_name(record.status_code),
            identifier_text(record.transaction_number),
            recorded_product.product_id,
            record.environment,
            identifier_text(record.original_number),
            identifier_text(record.line_item_number),
            record.account_id,
            record.device_id,
            record.server,
            record.region,
            record.app_version,
            record.error,
            record.bytes
        )

)

select
    named_record.*,
    known.environments as known_environments,
    own_environment(
        named_record.environment, coalesce(known.environments = array['Sandbox'], false)
    ) as own_environment,
    named_record.content_hash = coalesce(standing.content_hash, named_record.content_hash) as is_standing
from named_record
left join known on named_record.transaction_number = known.transaction_number
left join standing on named_record.delivery_id = standing.delivery_id;

drop table named_record, told_record
