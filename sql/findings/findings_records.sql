-- Finds tonight's records about the subjects of the findings that were resolved tonight.
--
-- A record is tonight's if it is in a new file, or is dated after the as-of of the last night: loaded before, but not
-- considered.
--
-- Takes  resolved_tonight (findings_live.sql), and the tables of findings_things.sql, findings_names.sql and
--        findings_new_record.sql.
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
select numbered.about_id, 'evidence', new_evidence.transaction_id, new_evidence.file_id, new_evidence.line
from numbered
inner join (
    select original_number, min(transaction_number) as transaction_number
    from new_evidence
    where exists (select 1 from resolved_tonight where rule = 'delivery_without_purchase')
    group by original_number
) as earliest on numbered.number = earliest.original_number
inner join new_evidence on earliest.transaction_number = new_evidence.transaction_number
union
-- A transaction that was in the chain of the finding: earlier evidence names another original than tonight's.
select numbered.about_id, 'evidence', new_evidence.transaction_id, new_evidence.file_id, new_evidence.line
from numbered
inner join differing_piece as former on numbered.number = former.original_number
inner join new_evidence using (transaction_number)
where
    former.original_number <> new_evidence.original_number
    and former.file_id not in (select file_id from new_file)
    and exists (select 1 from resolved_tonight where rule in ('duplicate_restore', 'missing_original'))
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
-- The receipt of what an app reported can have another id.
select resolved_tonight.finding_id, 'evidence', new_evidence.transaction_id, new_evidence.file_id, new_evidence.line
from resolved_tonight
inner join claim
    on resolved_tonight.environment = claim.environment
    and coalesce((resolved_tonight.key).transaction_id, (resolved_tonight.key).original_transaction_id)
    = claim.transaction_id
inner join new_evidence
    on claim.product_id = new_evidence.product_id
    and claim.occurred_at = new_evidence.purchased_at
    and identifier_number(coalesce(claim.original_transaction_id, claim.transaction_id)) = coalesce(
        new_evidence.original_number, new_evidence.transaction_number
    )
where resolved_tonight.rule = 'purchase_without_receipt'
union
-- A restore on another device.
select
    resolved_name.about_id,
    'client',
    coalesce(client_transaction.transaction_id, resolved_name.name),
    client_transaction.file_id,
    client_transaction.line
from resolved_name
inner join client_transaction on resolved_name.name = client_transaction.original_transaction_id
where resolved_name.kind = 'transaction' and client_transaction.file_id in (select file_id from new_file)
union
-- Transactions and deliveries that named or name a product.
select resolved_name.about_id, 'evidence', new_evidence.transaction_id, new_evidence.file_id, new_evidence.line
from new_evidence
inner join (
    select transaction_number, product_id
    from new_evidence
    union
    select transaction_number, product_id
    from differing_piece
) as named using (transaction_number)
inner join resolved_name on named.product_id = resolved_name.name
where
    resolved_name.kind = 'product'
    and resolved_name.about_id in (select finding_id from resolved_tonight where rule = 'invalid_product_id')
    and exists (select 1 from resolved_tonight where rule = 'invalid_product_id')
union
-- A new transaction can only add a unit without an amount. So the product's transaction was known before, under this
-- id or under another one with the same line item.
select named.about_id, 'evidence', new_evidence.transaction_id, new_evidence.file_id, new_evidence.line
from (
    select distinct named.transaction_number, resolved_name.about_id
    from (
        select distinct named.transaction_number, known.product_id
        from (select distinct transaction_number from new_evidence) as named
        inner join evidence as known using (transaction_number)
        where
            known.file_id not in (select file_id from new_file)
            and exists (select 1 from resolved_tonight where rule = 'unpriced_product')
        union
        select new_evidence.transaction_number, item.product_id
        from (
            -- Each line item once: it can have thousands of ids.
            select distinct named.line_item_number, known.product_id
            from (select distinct line_item_number from new_evidence where line_item_number is not null) as named
            inner join store_transaction using (line_item_number)
            inner join evidence as known on store_transaction.transaction_number = known.transaction_number
            where
                known.file_id not in (select file_id from new_file)
                and exists (select 1 from resolved_tonight where rule = 'unpriced_product')
        ) as item
        inner join new_evidence using (line_item_number)
    ) as named
    inner join resolved_name on named.product_id = resolved_name.name
    where
        resolved_name.kind = 'product'
        and resolved_name.about_id in (select finding_id from resolved_tonight where rule = 'unpriced_product')
) as named
inner join new_evidence using (transaction_number)
union
select resolved_name.about_id, 'delivery', piece.delivery_id, piece.file_id, piece.line
from (
    select distinct delivery_record.delivery_id, delivery_record.product_id
    from (select distinct delivery_id from new_delivery) as named
    inner join delivery_record using (delivery_id)
    where exists (select 1 from resolved_tonight where rule = 'invalid_product_id')
) as told
inner join resolved_name on told.product_id = resolved_name.name
-- Of each file one record is enough: a server can give thousands of deliveries one id.
inner join (
    select distinct on (delivery_id, file_id) delivery_id, file_id, line
    from new_delivery
    order by delivery_id, file_id, line
) as piece on told.delivery_id = piece.delivery_id
where
    resolved_name.kind = 'product'
    and resolved_name.about_id in (select finding_id from resolved_tonight where rule = 'invalid_product_id')
union
-- The log of a server that was silent, or of the days with which its hours are compared. Of each file the first record
-- is enough: a server that logs again has thousands.
(
    select distinct on (silent.finding_id, delivery_record.file_id)
        silent.finding_id,
        'delivery',
        delivery_record.delivery_id,
        delivery_record.file_id,
        delivery_record.line
    from (
        select
            finding_id,
            (key).server as server,
            (key).begins_at - silence_days() * interval '24 hours' as compared_from,
            coalesce(substring(detail from 'until (.*)$')::timestamptz, (key).begins_at) as compared_until
        from resolved_tonight
        where rule = 'silent_source'
        -- `offset 0` stops the planner from merging the queries, so that the text is read once for each finding.
        offset 0
    ) as silent
    inner join delivery_record on silent.server = delivery_record.server
    where
        delivery_record.file_id in (select file_id from new_file)
        and delivery_record.occurred_at >= silent.compared_from
        and delivery_record.occurred_at < silent.compared_until
    order by silent.finding_id, delivery_record.file_id, delivery_record.line, delivery_record.delivery_id
)
