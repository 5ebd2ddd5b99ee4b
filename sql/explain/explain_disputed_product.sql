-- Returns the products that evidence names for the transactions of each explained purchase, if it names several for one
-- transaction.
--
-- Takes  thing.
-- Gives  environment, thing_key, product_id
with

named as materialized (

    select
        thing.environment,
        thing.thing_key,
        member.transaction_number,
        evidence.product_id
    from thing
    cross join night
    inner join member
        on thing.environment = member.environment and thing.thing_key = member.obligation_key
    inner join evidence
        on member.environment = evidence.environment and member.transaction_number = evidence.transaction_number
    where
        member.is_conflicting
        and (night.trust <> 'signed' or evidence.trust = 'signed')

)

select distinct
    named.environment,
    named.thing_key,
    named.product_id
from named
inner join (
    select
        environment,
        transaction_number
    from named
    group by environment, transaction_number
    having min(product_id) <> max(product_id)
) as disputed using (environment, transaction_number)
