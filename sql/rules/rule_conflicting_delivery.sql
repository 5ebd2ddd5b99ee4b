-- Returns one finding for each delivery whose records contradict each other.
--
-- Finds      deliveries of which two records with the highest revision and the same instant differ in transaction,
--            product, account or device. A missing account or device differs from a named one.
-- Leaves out records after as-of; records that differ in something else, such as the status: an attempt that ends in
--            the second in which it begins has two records.
--
-- Levels     warning
-- Judges     purchases
-- Exception  match_exception.sql
-- Time       no
-- Reads      delivery, delivery_record, night
-- Gives      level, environment, reason, detail
-- Key        delivery_id
-- Resolved   records
-- Sentence   The records of its delivery contradict each other
-- Otherwise  explain_verdict.sql
with

-- Of several instants the latest.
conflicting as (

    select distinct on (delivery.environment, delivery.delivery_id)
        delivery.environment,
        delivery.delivery_id,
        delivery.revision,
        record.occurred_at,
        count(*) as records,
        concat_ws(
            ', ',
            case when min(record.transaction_id) <> max(record.transaction_id) then 'transaction_id' end,
            case when min(record.product_id) <> max(record.product_id) then 'product_id' end,
            case when count(distinct coalesce(record.account_id, '')) > 1 then 'account_id' end,
            case when count(distinct coalesce(record.device_id, '')) > 1 then 'device_id' end
        ) as differing
    from delivery
    cross join night
    inner join delivery_record as record
        on delivery.delivery_id = record.delivery_id and delivery.revision = record.revision
    where
        delivery.is_conflicting
        and delivery.environment = any(night.environments)
        and record.occurred_at <= night.as_of
    group by delivery.environment, delivery.delivery_id, delivery.revision, record.occurred_at
    having
        min(record.transaction_id) <> max(record.transaction_id)
        or min(record.product_id) <> max(record.product_id)
        or count(distinct coalesce(record.account_id, '')) > 1
        or count(distinct coalesce(record.device_id, '')) > 1
    order by delivery.environment, delivery.delivery_id, record.occurred_at desc

)

select
    'warning' as level,
    environment,
    delivery_id,
    null as reason,
    format(
        '%s records of %s differ in %s: send the right one again with %s',
        records,
        csv_instant(occurred_at),
        differing,
        case
            when revision < 2147483647 then format('revision %s', revision + 1)
            else 'another delivery_id, because no revision is higher'
        end
    ) as detail
from conflicting
