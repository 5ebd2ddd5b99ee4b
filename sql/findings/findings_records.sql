-- Finds tonight's records about the subjects of the findings that were resolved tonight.
--
-- A record is tonight's if it is in a file that was loaded tonight or counts again, or is dated after the as-of of
-- the last night: loaded before, but not considered.
--
-- Takes  resolved_tonight (findings_live.sql), the judged relations, staging tables, and recounted_file
--        (rebuild_empty.sql).
-- Leaves behind  last_night, resolved_name: the names in the resolved findings' subjects, or in one purchase with them;
--                resolving_record: finding_id, kind, name, file_id, line.

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
from night
inner join input_file using (run_id)
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
where kind = 'transaction';

create temporary table resolving_record on commit drop as
select
    numbered.finding_id,
    'evidence' as kind,
    evidence.transaction_id as name,
    evidence.file_id,
    evidence.line
from numbered
cross join last_night
cross join night
inner join evidence on numbered.number = evidence.transaction_number
where
    evidence.file_id in (select file_id from new_file)
    or evidence.purchased_at > last_night.as_of and evidence.purchased_at <= night.as_of
    or evidence.cancelled_at > last_night.as_of and evidence.cancelled_at <= night.as_of
union
select
    resolved_name.finding_id,
    'delivery',
    delivery_record.delivery_id,
    delivery_record.file_id,
    delivery_record.line
from resolved_name
cross join last_night
cross join night
inner join delivery_record on resolved_name.name = delivery_record.delivery_id
where
    resolved_name.kind = 'delivery'
    and (
        delivery_record.file_id in (select file_id from new_file)
        or delivery_record.occurred_at > last_night.as_of and delivery_record.occurred_at <= night.as_of
    )
union
select
    numbered.finding_id,
    'delivery',
    delivery_record.delivery_id,
    delivery_record.file_id,
    delivery_record.line
from numbered
inner join delivery_record on numbered.number = delivery_record.transaction_number
where delivery_record.file_id in (select file_id from new_file)
union
select
    resolved_name.finding_id,
    'client',
    resolved_name.name,
    client_transaction.file_id,
    client_transaction.line
from resolved_name
cross join last_night
cross join night
inner join client_transaction on resolved_name.name = client_transaction.transaction_id
where
    resolved_name.kind = 'transaction'
    and (
        client_transaction.file_id in (select file_id from new_file)
        or client_transaction.occurred_at > last_night.as_of and client_transaction.occurred_at <= night.as_of
    )
union
-- A restore on another device.
select
    resolved_name.finding_id,
    'client',
    resolved_name.name,
    client_transaction.file_id,
    client_transaction.line
from resolved_name
inner join client_transaction on resolved_name.name = client_transaction.original_transaction_id
where resolved_name.kind = 'transaction' and client_transaction.file_id in (select file_id from new_file)
union
-- Transactions and deliveries that named or name a product.
select named.finding_id, 'evidence', new.transaction_id, new.file_id, new.line
from (
    select distinct resolved_name.finding_id, evidence.transaction_number
    from (
        select distinct transaction_number
        from staging_evidence
        where exists (select 1 from resolved_tonight where rule in ('invalid_product_id', 'unpriced_product'))
    ) as staged
    inner join evidence using (transaction_number)
    inner join resolved_name on evidence.product_id = resolved_name.name
    where
        resolved_name.kind = 'product'
        and resolved_name.finding_id in (
            select finding_id from resolved_tonight where rule in ('invalid_product_id', 'unpriced_product')
        )
) as named
inner join evidence as new using (transaction_number)
where new.file_id in (select file_id from new_file)
union
select named.finding_id, 'delivery', new.delivery_id, new.file_id, new.line
from (
    select distinct resolved_name.finding_id, delivery_record.delivery_id
    from (
        select distinct delivery_id
        from staging_delivery
        where exists (select 1 from resolved_tonight where rule = 'invalid_product_id')
    ) as staged
    inner join delivery_record using (delivery_id)
    inner join resolved_name on delivery_record.product_id = resolved_name.name
    where
        resolved_name.kind = 'product'
        and resolved_name.finding_id in (select finding_id from resolved_tonight where rule = 'invalid_product_id')
) as named
inner join delivery_record as new using (delivery_id)
where new.file_id in (select file_id from new_file)
union
-- The log of a server that was silent, or of the days with which its hours are compared.
select
    resolved_tonight.finding_id,
    'delivery',
    delivery_record.delivery_id,
    delivery_record.file_id,
    delivery_record.line
from resolved_tonight
inner join delivery_record
    on resolved_tonight.rule = 'silent_source'
    and (resolved_tonight.key).server = delivery_record.server
where
    delivery_record.file_id in (select file_id from new_file)
    and delivery_record.occurred_at >= (resolved_tonight.key).begins_at - silence_days() * interval '24 hours'
    and delivery_record.occurred_at
    < coalesce(substring(resolved_tonight.detail from 'until (.*)$')::timestamptz, (resolved_tonight.key).begins_at)
union
select resolved_tonight.finding_id, 'file', (resolved_tonight.key).feed, input_file.file_id, null
from resolved_tonight
inner join input_file on resolved_tonight.rule = 'stale_feed' and (resolved_tonight.key).feed = input_file.folder
where input_file.file_id in (select file_id from new_file)
