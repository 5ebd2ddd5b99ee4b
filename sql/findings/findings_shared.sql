-- Finds tonight's records about accounts that shared purchases, for findings of shared_purchase that were resolved
-- tonight.
--
-- Takes  resolved_tonight (findings_live.sql), resolved_thing (findings_things.sql), new_evidence, new_delivery
--        (findings_new_record.sql)
-- Fills  resolving_record (findings_records.sql)
insert into resolving_record (about_id, kind, name, file_id, line)
-- A correction of a delivery can take the account away.
select sought.about_id, 'delivery' as kind, piece.delivery_id as name, piece.file_id, piece.line
from (
    select distinct delivery_record.delivery_id, resolved_thing.about_id
    from (select distinct delivery_id from new_delivery) as named
    inner join delivery_record using (delivery_id)
    inner join resolved_thing on delivery_record.account_id = resolved_thing.name
    where
        resolved_thing.kind = 'account'
        and exists (select 1 from resolved_tonight where rule = 'shared_purchase')
) as sought
inner join (
    select distinct on (delivery_id, file_id) delivery_id, file_id, line
    from new_delivery
    order by delivery_id, file_id, line
) as piece using (delivery_id)
union
select sought.about_id, 'evidence', piece.transaction_id, piece.file_id, piece.line
from (
    select distinct resolved_thing.about_id, named.transaction_number
    from resolved_thing
    inner join (
        select transaction_number, 'account' as kind, account_id as name
        from new_evidence
        where exists (select 1 from resolved_tonight where rule = 'shared_purchase')
        union
        select transaction_number, 'token', account_token
        from new_evidence
        where exists (select 1 from resolved_tonight where rule = 'shared_purchase')
        union
        -- Tonight's evidence can put a transaction into another family without naming its accounts.
        select known.transaction_number, one.kind, one.name
        from (
            select distinct transaction_number
            from new_evidence
            where exists (select 1 from resolved_tonight where rule = 'shared_purchase')
        ) as named
        inner join store_transaction as known using (transaction_number)
        cross join lateral (
            select 'account' as kind, unnest(known.account_ids) as name
            union all
            select 'token', unnest(known.account_tokens)
        ) as one
    ) as named using (kind, name)
) as sought
-- Of each file one piece is enough: a transaction can have thousands of accounts.
inner join (
    select distinct on (transaction_number, file_id) transaction_number, transaction_id, file_id, line
    from new_evidence
    order by transaction_number, file_id, line
) as piece using (transaction_number)
