-- Returns the ids whose rejected delivery records can be why no attempt is known: the explained transactions without an
-- attempt, and the ids of their families or chains.
--
-- Takes  latest_attempt (explain_latest_attempt.sql).
-- Gives  environment, thing_key, name
with

unattempted as (

    select
        environment,
        obligation_key as thing_key,
        transaction_id
    from latest_attempt
    where delivery_id is null

)

select
    environment,
    thing_key,
    transaction_id as name
from unattempted
union
select
    owed.environment,
    owed.thing_key,
    id.name
from (select distinct environment, thing_key from unattempted) as owed
inner join member
    on owed.environment = member.environment and owed.thing_key = member.obligation_key
cross join unnest(array[member.transaction_id, member.web_order_line_item_id]) as id (name)
where id.name is not null
