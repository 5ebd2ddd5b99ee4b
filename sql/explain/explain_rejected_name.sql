-- Returns the ids whose rejected delivery records can be why no attempt is known: the name of a transaction that was
-- asked about, and the ids of the purchases without an attempt. At most a hundred, of the newest purchases.
--
-- Takes  tieout.explained, thing, purchase (explain_purchase.sql).
-- Gives  environment, thing_key, name
with

unattempted as (

    select
        purchase.environment,
        purchase.thing_key,
        purchase.purchased_at,
        thing.named_as
    from purchase
    inner join thing using (environment, thing_key)
    where purchase.cause in ('never_attempted', 'no_records')

),

candidate as (

    select
        1 as place,
        environment,
        thing_key,
        purchased_at,
        current_setting('tieout.explained') collate "C" as name
    from unattempted
    where named_as like '%transaction%'
    union
    select
        2,
        unattempted.environment,
        unattempted.thing_key,
        unattempted.purchased_at,
        id.name
    from unattempted
    inner join member
        on unattempted.environment = member.environment and unattempted.thing_key = member.obligation_key
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
