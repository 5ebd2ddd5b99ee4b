-- Returns the ids whose rejected delivery records can be why no delivery is known: the name of a transaction that was
-- asked about, and the ids of the purchases whose delivery is missing. At most a hundred, of the newest purchases.
--
-- Takes  tieout.explained, thing, purchase (explain_purchase.sql).
-- Gives  environment, thing_key, name
with

missed as (

    select
        purchase.environment,
        purchase.thing_key,
        purchase.purchased_at,
        thing.named_as
    from purchase
    inner join thing using (environment, thing_key)
    where purchase.cause in ('wrong_product', 'failed', 'pending', 'never_attempted', 'no_records')

),

candidate as (

    select
        1 as place,
        environment,
        thing_key,
        purchased_at,
        current_setting('tieout.explained') collate "C" as name
    from missed
    where named_as like '%transaction%'
    union
    select
        2,
        missed.environment,
        missed.thing_key,
        missed.purchased_at,
        id.name
    from missed
    inner join member
        on missed.environment = member.environment and missed.thing_key = member.obligation_key
    cross join unnest(array[member.transaction_id, member.web_order_line_item_id]) as id (name)
    where id.name is not null

)

select
    environment,
    thing_key,
    name
from candidate
order by place, purchased_at desc, thing_key, name
limit 100
