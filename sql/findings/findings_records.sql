-- Finds tonight's records about the subjects of the findings that were resolved tonight.
--
-- A record is tonight's if it is in a new file, or is dated after the as-of of the last night: loaded before, but not
-- considered.
--
-- Takes  resolved_tonight (findings_live.sql), the tables of findings_things.sql and findings_names.sql, and staging
--        tables.
-- Leaves behind  resolving_record: about_id, kind, name, file_id, line.

create temporary table resolving_record on commit drop as
select
    numbered.about_id,
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
-- A transaction that names the transaction of a delivery as its original. One of them is enough: a chain can have
-- thousands of renewals, and as many deliveries.
select numbered.about_id, 'evidence', new.transaction_id, new.file_id, new.line
from numbered
inner join (
    select staging_evidence.original_number, min(evidence.transaction_number) as transaction_number
    from staging_evidence
    inner join evidence using (transaction_number)
    where
        evidence.file_id in (select file_id from new_file)
        and exists (select 1 from resolved_tonight where rule = 'delivery_without_purchase')
    group by staging_evidence.original_number
) as staged on numbered.number = staged.original_number
inner join evidence as new on staged.transaction_number = new.transaction_number
where new.file_id in (select file_id from new_file)
union
-- A transaction that was in the chain of the finding: earlier evidence names another original than tonight's.
select numbered.about_id, 'evidence', new.transaction_id, new.file_id, new.line
from numbered
inner join (
    select distinct former.original_number, former.transaction_number
    from staging_evidence
    inner join evidence as former using (transaction_number)
    where
        former.original_number <> staging_evidence.original_number
        and former.file_id not in (select file_id from new_file)
        and exists (select 1 from resolved_tonight where rule in ('duplicate_restore', 'missing_original'))
) as moved on numbered.number = moved.original_number
inner join evidence as new on moved.transaction_number = new.transaction_number
where new.file_id in (select file_id from new_file)
union
select
    named_delivery.about_id,
    'delivery',
    delivery_record.delivery_id,
    delivery_record.file_id,
    delivery_record.line
from named_delivery
cross join last_night
cross join night
inner join delivery_record using (delivery_id)
where
    delivery_record.file_id in (select file_id from new_file)
    or delivery_record.occurred_at > last_night.as_of and delivery_record.occurred_at <= night.as_of
union
select
    resolved_name.about_id,
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
    resolved_name.about_id,
    'client',
    resolved_name.name,
    client_transaction.file_id,
    client_transaction.line
from resolved_name
inner join client_transaction on resolved_name.name = client_transaction.original_transaction_id
where resolved_name.kind = 'transaction' and client_transaction.file_id in (select file_id from new_file)
union
-- Transactions and deliveries that named or name a product.
select named.about_id, 'evidence', new.transaction_id, new.file_id, new.line
from (
    select distinct resolved_name.about_id, evidence.transaction_number
    from (
        select distinct transaction_number
        from staging_evidence
        where exists (select 1 from resolved_tonight where rule = 'invalid_product_id')
    ) as staged
    inner join evidence using (transaction_number)
    inner join resolved_name on evidence.product_id = resolved_name.name
    where
        resolved_name.kind = 'product'
        and resolved_name.about_id in (select finding_id from resolved_tonight where rule = 'invalid_product_id')
) as named
inner join evidence as new using (transaction_number)
where new.file_id in (select file_id from new_file)
union
-- A new transaction can only add a unit without an amount. So the product's transaction was known before, under this
-- id or under another one with the same line item.
select named.about_id, 'evidence', new.transaction_id, new.file_id, new.line
from (
    select distinct resolved_name.about_id, staged.transaction_number
    from (
        select transaction_number, transaction_number as known_number
        from staging_evidence
        where exists (select 1 from resolved_tonight where rule = 'unpriced_product')
        union
        select staging_evidence.transaction_number, store_transaction.transaction_number
        from staging_evidence
        inner join store_transaction using (line_item_number)
        where exists (select 1 from resolved_tonight where rule = 'unpriced_product')
    ) as staged
    inner join evidence as known on staged.known_number = known.transaction_number
    inner join resolved_name on known.product_id = resolved_name.name
    where
        known.file_id not in (select file_id from new_file)
        and resolved_name.kind = 'product'
        and resolved_name.about_id in (select finding_id from resolved_tonight where rule = 'unpriced_product')
) as named
inner join evidence as new using (transaction_number)
where new.file_id in (select file_id from new_file)
union
select named.about_id, 'delivery', new.delivery_id, new.file_id, new.line
from (
    select distinct resolved_name.about_id, delivery_record.delivery_id
    from (
        select distinct delivery_id
        from staging_delivery
        where exists (select 1 from resolved_tonight where rule = 'invalid_product_id')
    ) as staged
    inner join delivery_record using (delivery_id)
    inner join resolved_name on delivery_record.product_id = resolved_name.name
    where
        resolved_name.kind = 'product'
        and resolved_name.about_id in (select finding_id from resolved_tonight where rule = 'invalid_product_id')
) as named
inner join delivery_record as new using (delivery_id)
where new.file_id in (select file_id from new_file)
union
-- Records of accounts that shared purchases.
select sought.about_id, 'delivery', new.delivery_id, new.file_id, new.line
from resolved_thing as sought
inner join (
    select distinct delivery_id, account_id
    from staging_delivery
    where exists (select 1 from resolved_tonight where rule = 'shared_purchase')
) as staged on sought.kind = 'account' and sought.name = staged.account_id
inner join delivery_record as new using (delivery_id)
where new.file_id in (select file_id from new_file)
union
select sought.about_id, 'evidence', new.transaction_id, new.file_id, new.line
from resolved_thing as sought
inner join (
    select transaction_number, 'account' as kind, account_id as name
    from staging_evidence
    where exists (select 1 from resolved_tonight where rule = 'shared_purchase')
    union
    select transaction_number, 'token', account_token
    from staging_evidence
    where exists (select 1 from resolved_tonight where rule = 'shared_purchase')
    union
    -- Tonight's evidence can put a transaction into another family without naming its accounts.
    select known.transaction_number, one.kind, one.name
    from (
        select distinct transaction_number
        from staging_evidence
        where exists (select 1 from resolved_tonight where rule = 'shared_purchase')
    ) as told
    inner join store_transaction as known using (transaction_number)
    cross join lateral (
        select 'account' as kind, unnest(known.account_ids) as name
        union all
        select 'token', unnest(known.account_tokens)
    ) as one
) as staged using (kind, name)
inner join evidence as new using (transaction_number)
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
