-- What tonight's documents say of transactions, and did not say before.
--
-- What is told of a transaction for the first time, and once, goes straight into the table; what
-- retold_transaction (load_count.sql) lists is held against what is there.
--
-- Leaves behind  touched_transaction: those of retold_transaction of which something new or older was
--                said.

create temporary table tonight_statement on commit drop as
select distinct on (environment, transaction_id, statement_hash)
    staging_evidence.*
from staging_evidence
where exists (
    select
    from retold_transaction
    where
        retold_transaction.environment = staging_evidence.environment
        and retold_transaction.transaction_id = staging_evidence.transaction_id
)
order by environment, transaction_id, statement_hash, evidence_at, file_id, line;

analyze tonight_statement;

create temporary table touched_transaction (
    environment text collate "C",
    transaction_id text collate "C"
) on commit drop;

-- The same was said before, but not by evidence as old as this.
with

made_older as (

    update evidence
    set
        evidence_at = tonight_statement.evidence_at,
        file_id = tonight_statement.file_id,
        line = tonight_statement.line
    from tonight_statement
    where
        evidence.environment = tonight_statement.environment
        and evidence.transaction_id = tonight_statement.transaction_id
        and evidence.statement_hash = tonight_statement.statement_hash
        and evidence.evidence_at > tonight_statement.evidence_at
    returning evidence.environment, evidence.transaction_id

),

-- A plain insert of what is missing: ON CONFLICT for every row is the slow way.
added as (

    insert into evidence (
        environment, transaction_id, statement_hash, evidence_at, original_transaction_id, product_id,
        quantity, purchased_at, original_purchased_at, expires_at, cancelled_at,
        web_order_line_item_id, is_trial, is_introductory_offer, is_promotional_offer,
        is_family_shared, is_upgraded, price, currency, storefront, account_id, device_id, file_id, line
    )
    select
        environment, transaction_id, statement_hash, evidence_at, original_transaction_id, product_id,
        quantity, purchased_at, original_purchased_at, expires_at, cancelled_at,
        web_order_line_item_id, is_trial, is_introductory_offer, is_promotional_offer,
        is_family_shared, is_upgraded, price::numeric, currency, storefront, account_id, device_id,
        file_id, line
    from tonight_statement
    where
        not exists (
            select
            from evidence
            where
                evidence.environment = tonight_statement.environment
                and evidence.transaction_id = tonight_statement.transaction_id
                and evidence.statement_hash = tonight_statement.statement_hash
        )
    returning environment, transaction_id

)

insert into touched_transaction (environment, transaction_id)
select environment, transaction_id from made_older
union
select environment, transaction_id from added;

analyze touched_transaction;

insert into evidence (
    environment, transaction_id, statement_hash, evidence_at, original_transaction_id, product_id,
    quantity, purchased_at, original_purchased_at, expires_at, cancelled_at,
    web_order_line_item_id, is_trial, is_introductory_offer, is_promotional_offer,
    is_family_shared, is_upgraded, price, currency, storefront, account_id, device_id, file_id, line
)
select
    environment, transaction_id, statement_hash, evidence_at, original_transaction_id, product_id,
    quantity, purchased_at, original_purchased_at, expires_at, cancelled_at,
    web_order_line_item_id, is_trial, is_introductory_offer, is_promotional_offer,
    is_family_shared, is_upgraded, price::numeric, currency, storefront, account_id, device_id,
    file_id, line
from staging_evidence
where not exists (
    select
    from retold_transaction
    where
        retold_transaction.environment = staging_evidence.environment
        and retold_transaction.transaction_id = staging_evidence.transaction_id
)
