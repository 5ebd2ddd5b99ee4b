-- Finds the names of the things that resolved findings are about: of transactions, deliveries and products.
--
-- Takes          resolved_tonight (findings_live.sql), the judged relations, and the tables of findings_things.sql.
-- Leaves behind  resolved_name: about_id, kind, name; numbered: the transactions among them; named_delivery:
--                deliveries that named one.

create temporary table name_of_purchase on commit drop as
with

purchase as materialized (

    select about_id, environment, name as obligation_key
    from resolved_thing
    where kind = 'purchase'

),

purchase_name as (

    select purchase.about_id, named.kind, named.name
    from purchase
    inner join member using (environment, obligation_key)
    cross join lateral (
        values ('transaction', member.transaction_id), ('product', member.product_id)
    ) as named (kind, name)
    union
    select purchase.about_id, named.kind, named.name
    from purchase
    inner join attempt
        on purchase.environment = attempt.environment
        and purchase.obligation_key = attempt_thing(attempt.obligation_key, attempt.delivery_id)
    cross join lateral (
        values
        ('transaction', attempt.transaction_id),
        ('transaction', attempt.original_transaction_id),
        ('delivery', attempt.delivery_id),
        ('product', attempt.product_id)
    ) as named (kind, name)

)

select about_id, kind, name
from purchase_name
where name is not null;

analyze name_of_purchase;

create temporary table resolved_name on commit drop as
select about_id, kind, name
from name_of_purchase
union
-- The products of the purchases of a name. They are few, also if the name is that of a long chain.
select resolved_part.about_id, name_of_purchase.kind, name_of_purchase.name
from resolved_part
inner join name_of_purchase on resolved_part.part_id = name_of_purchase.about_id
where name_of_purchase.kind = 'product'
union
select resolved_thing.about_id, kind.kind, resolved_thing.name
from resolved_thing
cross join (values ('transaction'), ('delivery')) as kind (kind)
where resolved_thing.kind = 'name'
union
-- The id on the device can differ from the receipt's.
select resolved_tonight.finding_id, named.kind, named.name
from resolved_tonight
inner join claim
    on resolved_tonight.environment = claim.environment
    and coalesce((key).transaction_id, (key).original_transaction_id) = claim.transaction_id
cross join lateral (
    values ('transaction', claim.original_transaction_id), ('product', claim.product_id)
) as named (kind, name)
where resolved_tonight.rule = 'purchase_without_receipt' and named.name is not null
union
select
    finding_id,
    'product',
    (key).product_id
from resolved_tonight
where environment = '' and (key).product_id is not null and rule <> 'unexplained_difference';

-- Purchases of the same accounts, which now have more of them, found by the account of the fewest purchases.
insert into resolved_name (about_id, kind, name)
with

shared as (

    select shared.environment, shared.family_key, shared.namespace = '' as is_of_accounts, one.name
    from carried_shared_family as shared
    cross join unnest(shared.names) as one (name)
    where exists (select 1 from resolved_tonight where rule = 'shared_purchase')

),

rarest as (

    select distinct on (sought.finding_id)
        sought.finding_id,
        sought.kind = 'account' as is_of_accounts,
        sought.name
    from named_thing as sought
    inner join (
        select is_of_accounts, name, count(*) as families
        from shared
        group by is_of_accounts, name
    ) as used
        on (sought.kind = 'account') = used.is_of_accounts and sought.name = used.name
    where sought.kind in ('account', 'token')
    order by sought.finding_id, used.families, sought.name

),

-- Each account of the finding is looked up: comparing the whole lists would take the square of their length.
common as (

    select rarest.finding_id, candidate.environment, candidate.family_key
    from rarest
    inner join shared as candidate using (is_of_accounts, name)
    inner join named_thing as sought
        on rarest.finding_id = sought.finding_id and sought.kind in ('account', 'token')
    left join shared as other
        on candidate.environment = other.environment
        and candidate.family_key = other.family_key
        and candidate.is_of_accounts = other.is_of_accounts
        and sought.name = other.name
    group by rarest.finding_id, candidate.environment, candidate.family_key
    having count(*) = count(other.name)

)

select distinct common.finding_id, 'transaction', member.transaction_id
from common
inner join member on common.environment = member.environment and common.family_key = member.family_key;

analyze resolved_name;

-- The workers of a cluster cannot number identifiers.
create temporary table numbered on commit drop as
select
    about_id,
    identifier_number(name) as number
from resolved_name
where kind = 'transaction'
union
-- A delivery without an environment can belong to another environment now.
select resolved_name.about_id, delivery_record.transaction_number
from resolved_name
inner join delivery_record on resolved_name.name = delivery_record.delivery_id
where resolved_name.kind = 'delivery';

create temporary table named_delivery on commit drop as
select about_id, name as delivery_id
from resolved_name
where kind = 'delivery'
union
-- A correction of these can name another transaction.
select numbered.about_id, delivery_record.delivery_id
from numbered
inner join delivery_record on numbered.number = delivery_record.transaction_number
