-- Finds the names in the subjects of the findings that were resolved tonight, and the files that came since the last
-- night: those of tonight's run, of runs of a past day, and files that count again.
--
-- Takes  resolved_tonight (findings_live.sql), the judged relations, and recounted_file (rebuild_empty.sql).
-- Many findings can be about one name or one purchase, so the names and records of these are looked up once.
--
-- Leaves behind  last_night, new_file; resolved_about: what each resolved finding is about: itself (about_id is its
--                number), each name in its subject, and each purchase with such a name; resolved_name: the names of
--                each of these; numbered: the transactions among them; named_delivery: deliveries that named one.

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

create temporary table resolved_about on commit drop as
with

named as materialized (

    select distinct
        resolved_tonight.finding_id,
        resolved_tonight.environment,
        one.name
    from resolved_tonight
    cross join lateral (
        values (coalesce((key).transaction_id, (key).original_transaction_id)), ((key).delivery_id)
    ) as one (name)
    where resolved_tonight.environment <> '' and one.name is not null

),

name as materialized (

    select distinct environment, name from named

),

named_purchase as (

    select name.environment, name.name, member.obligation_key
    from name
    inner join member on name.environment = member.environment and name.name = member.transaction_id
    union
    select name.environment, name.name, member.obligation_key
    from name
    inner join member on name.environment = member.environment and name.name = member.original_transaction_id
    union
    select name.environment, name.name, coalesce(attempt.obligation_key, 'd ' || attempt.delivery_id)
    from name
    inner join attempt on name.environment = attempt.environment and name.name = attempt.delivery_id
    union
    select name.environment, name.name, coalesce(attempt.obligation_key, 'd ' || attempt.delivery_id)
    from name
    inner join attempt on name.environment = attempt.environment and name.name = attempt.transaction_id

),

about as (

    select resolved_tonight.finding_id, 'purchase' as kind, environment, family.obligation_key as name
    from resolved_tonight
    inner join family using (environment, subject)
    where environment <> ''
    union
    select resolved_tonight.finding_id, 'purchase', environment, obligation.obligation_key
    from resolved_tonight
    inner join obligation using (environment, subject)
    where environment <> ''
    union
    select named.finding_id, 'purchase', environment, named_purchase.obligation_key
    from named
    inner join named_purchase using (environment, name)
    union
    select finding_id, 'name', environment, name
    from named
    union
    select finding_id, 'finding', '', finding_id::text collate "C"
    from resolved_tonight

)

select
    finding_id,
    kind,
    environment,
    name,
    case
        when kind = 'finding' then finding_id
        else -dense_rank() over (order by kind, environment, name)
    end as about_id
from about;

create temporary table resolved_name on commit drop as
with

purchase as materialized (

    select distinct about_id, environment, name as obligation_key
    from resolved_about
    where kind = 'purchase'

),

told as (

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
        and purchase.obligation_key = coalesce(attempt.obligation_key, 'd ' || attempt.delivery_id)
    cross join lateral (
        values
        ('transaction', attempt.transaction_id),
        ('transaction', attempt.original_transaction_id),
        ('delivery', attempt.delivery_id),
        ('product', attempt.product_id)
    ) as named (kind, name)

)

select about_id, kind, name
from told
where name is not null
union
select resolved_about.about_id, kind.kind, resolved_about.name
from resolved_about
cross join (values ('transaction'), ('delivery')) as kind (kind)
where resolved_about.kind = 'name'
union
-- The id on the device can differ from the receipt's.
select resolved_tonight.finding_id, 'transaction', claim.original_transaction_id
from resolved_tonight
inner join claim
    on resolved_tonight.environment = claim.environment
    and coalesce((key).transaction_id, (key).original_transaction_id) = claim.transaction_id
where resolved_tonight.rule = 'purchase_without_receipt' and claim.original_transaction_id is not null
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
