-- Finds the names in the subjects of the findings that were resolved tonight, and the files that came since the last
-- night: those of tonight's run, of runs of a past day, and files that count again.
--
-- Takes  resolved_tonight (findings_live.sql), the judged relations, and recounted_file (rebuild_empty.sql).
-- Leaves behind  last_night, new_file; resolved_name: the names in the resolved findings' subjects, or in one purchase
--                with them; numbered: the transactions among them; named_delivery: deliveries that named one of them.

create temporary table if not exists recounted_file (file_id integer, is_withdrawn boolean) on commit drop;

create temporary table last_night on commit drop as
select
    run.run_id,
    run.as_of,
    run.settings
from run
cross join night
where run.outcome = 'done' and not run.is_of_past_day and run.run_id < night.run_id
order by run.run_id desc
limit 1;

create temporary table new_file on commit drop as
select input_file.file_id
from last_night
inner join input_file on last_night.run_id < input_file.run_id
union
select file_id from recounted_file where not is_withdrawn;

create temporary table resolved_name on commit drop as
with

named as materialized (

    select
        finding_id,
        rule,
        environment,
        subject,
        coalesce((key).transaction_id, (key).original_transaction_id, (key).delivery_id) as name
    from resolved_tonight
    where environment <> ''

),

purchase as (

    select named.finding_id, family.environment, family.obligation_key
    from named
    inner join family using (environment, subject)
    union
    select named.finding_id, obligation.environment, obligation.obligation_key
    from named
    inner join obligation using (environment, subject)
    union
    select named.finding_id, member.environment, member.obligation_key
    from named
    inner join member on named.environment = member.environment and named.name = member.transaction_id
    union
    select named.finding_id, member.environment, member.obligation_key
    from named
    inner join member on named.environment = member.environment and named.name = member.original_transaction_id
    union
    select named.finding_id, attempt.environment, coalesce(attempt.obligation_key, 'd ' || attempt.delivery_id)
    from named
    inner join attempt on named.environment = attempt.environment and named.name = attempt.delivery_id
    union
    select named.finding_id, attempt.environment, coalesce(attempt.obligation_key, 'd ' || attempt.delivery_id)
    from named
    inner join attempt on named.environment = attempt.environment and named.name = attempt.transaction_id

),

told as (

    select purchase.finding_id, named.kind, named.name
    from purchase
    inner join member using (environment, obligation_key)
    cross join lateral (
        values ('transaction', member.transaction_id), ('product', member.product_id)
    ) as named (kind, name)
    union
    select purchase.finding_id, named.kind, named.name
    from purchase
    inner join attempt
        on purchase.environment = attempt.environment
        and purchase.obligation_key = coalesce(attempt.obligation_key, 'd ' || attempt.delivery_id)
    cross join lateral (
        values
        ('transaction', attempt.transaction_id),
        ('transaction', attempt.original_transaction_id),
        ('delivery', attempt.delivery_id),
        ('product', attempt.product_id)
    ) as named (kind, name)

)

select finding_id, kind, name
from told
where name is not null
union
select named.finding_id, kind.kind, named.name
from named
cross join (values ('transaction'), ('delivery')) as kind (kind)
union
-- The id on the device can differ from the receipt's.
select named.finding_id, 'transaction', claim.original_transaction_id
from named
inner join claim on named.environment = claim.environment and named.name = claim.transaction_id
where named.rule = 'purchase_without_receipt' and claim.original_transaction_id is not null
union
select
    finding_id,
    'product',
    (key).product_id
from resolved_tonight
where environment = '' and (key).product_id is not null and rule <> 'unexplained_difference'
union
-- Purchases of the same accounts, which now have more of them, found by the first account.
select sought.finding_id, 'transaction', member.transaction_id
from (
    select
        finding_id,
        (key).account_ids is not null as is_of_accounts,
        coalesce((key).account_ids, (key).account_tokens) as names
    from resolved_tonight
    where rule = 'shared_purchase'
) as sought
inner join (
    select shared.environment, shared.family_key, shared.namespace, shared.names, one.name
    from carried_shared_family as shared
    cross join unnest(shared.names) as one (name)
) as shared
    on sought.names[1] = shared.name
    and sought.is_of_accounts = (shared.namespace = '')
    and sought.names <@ shared.names
inner join member
    on shared.environment = member.environment and shared.family_key = member.family_key;

analyze resolved_name;

-- The workers of a cluster cannot number identifiers.
create temporary table numbered on commit drop as
select
    finding_id,
    identifier_number(name) as number
from resolved_name
where kind = 'transaction'
union
-- A delivery without an environment can belong to another environment now.
select resolved_name.finding_id, delivery_record.transaction_number
from resolved_name
inner join delivery_record on resolved_name.name = delivery_record.delivery_id
where resolved_name.kind = 'delivery';

create temporary table named_delivery on commit drop as
select finding_id, name as delivery_id
from resolved_name
where kind = 'delivery'
union
-- A correction of these can name another transaction.
select numbered.finding_id, delivery_record.delivery_id
from numbered
inner join delivery_record on numbered.number = delivery_record.transaction_number
