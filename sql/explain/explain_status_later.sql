-- Returns for each explained thing the first delivery that is dated after as-of, in words. If one was delivered, it is
-- the first of these. A delivery that was attempted up to as-of counts if it was delivered after it.
--
-- Takes  later_record (explain_later_record.sql).
-- Gives  environment, thing_key, words; transaction_id, product_id: of that delivery
with

ranked as (

    select
        environment,
        thing_key,
        delivery_id,
        transaction_id,
        product_id,
        status,
        occurred_at,
        row_number() over (
            partition by environment, thing_key
            order by status = 'delivered' desc, occurred_at, delivery_id, line
        ) as place
    from later_record

)

select
    environment,
    thing_key,
    transaction_id,
    product_id,
    format(
        'delivery %s says %s on %s, after as-of: it is not considered yet',
        delivery_id,
        status,
        csv_instant(occurred_at)
    ) as words
from ranked
where place = 1
