-- Creates the view of transactions: what is known about each of them.

-- One row for each transaction about which there are several pieces of evidence: their merge (load_merge.sql).
create table merged_transaction (
    -- schema_identifier.sql
    transaction_number bigint not null,
    -- schema_usual.sql
    environment_code text collate "C" not null,
    -- Any evidence of it is signed.
    is_signed boolean not null,
    -- schema_product.sql
    product_number integer not null,
    original_number bigint not null,
    product_type text collate "C",
    quantity bigint not null,
    -- The earliest in any evidence.
    first_purchased_at timestamptz not null,
    first_original_purchased_at timestamptz,
    -- The one in signed evidence, or else in the oldest evidence.
    original_purchased_at timestamptz,
    expires_at timestamptz,
    -- The earliest cancellation in any evidence.
    cancelled_at timestamptz,
    -- The largest in any evidence, in thousandths of a per cent.
    revocation_percentage integer,
    line_item_number bigint,
    is_trial boolean not null,
    is_introductory_offer boolean not null,
    is_promotional_offer boolean not null,
    is_family_shared boolean not null,
    is_upgraded boolean not null,
    price numeric,
    currency text collate "C",
    -- The lowest in any evidence.
    storefront text collate "C",
    account_ids text[] collate "C" not null,
    account_tokens text[] collate "C" not null,
    device_ids text[] collate "C" not null,
    -- Two pieces of evidence differ in what cannot change: product, original transaction or quantity; or unsigned
    -- evidence has a line item or a price that signed evidence does not have.
    is_conflicting boolean not null,
    -- There is a refund, and also a signed transaction without it, or evidence of two different dates or parts:
    -- judge_refund.sql decides.
    is_refund_questioned boolean not null,
    -- Unsigned evidence of it looks forged: its dates or environments disagree, or it expires too late.
    is_suspicious boolean not null,

    primary key (transaction_number, environment_code)
)
with (
    -- A transaction that is merged again is written again.
    fillfactor = 90,
    autovacuum_vacuum_scale_factor = 0.01,
    autovacuum_vacuum_insert_scale_factor = 0.02,
    autovacuum_analyze_scale_factor = 0.02
);

-- No SQL statement joins or filters by these sets, and sampling them took a third of the time of an analyze.
alter table merged_transaction
    alter column account_ids set statistics 0,
    alter column account_tokens set statistics 0,
    alter column device_ids set statistics 0;

-- A night goes from one record to the next by the names that they share.
create index merged_transaction_original on merged_transaction (original_number);

create index merged_transaction_line_item on merged_transaction (line_item_number)
where line_item_number is not null;

-- The purchase date of a transaction. Evidence can give a restored purchase a later date under the same id: if the
-- transaction is its own original and no subscription, the earlier date counts. Without a type, a date of expiry or a
-- line item shows a subscription.
create function purchase_date(
    is_original boolean,
    product_type text,
    expires_at timestamptz,
    line_item_number bigint,
    first_purchased_at timestamptz,
    first_original_purchased_at timestamptz
) returns timestamptz
language sql immutable parallel safe
return case
    when
        is_original
        and coalesce(product_type <> 'auto_renewable', expires_at is null and line_item_number is null)
        then least(first_purchased_at, first_original_purchased_at)
    else first_purchased_at
end;

-- How a transaction counts. Each transaction has exactly one disposition: the first that fits.
create function disposition(
    is_configured boolean,
    is_family_shared boolean,
    is_restored boolean,
    is_free boolean,
    is_renewal boolean
) returns text
language sql immutable parallel safe
return case
    when not is_configured then 'other_environment'
    when is_family_shared then 'family_shared'
    when is_restored then 'restored'
    when is_free then 'free'
    when is_renewal then 'renewal'
    else 'purchase'
end;

-- One row for each transaction that the App Store issued: the merge of its evidence. It does not depend on as-of;
-- a night decides what it considers when it judges (judge_considered_transaction.sql). It joins no tables, so that the
-- planner can look up each side by a key. The identifier of a product is looked up only if a query uses it.
create view store_transaction as
select
    transaction_number,
    identifier_text(transaction_number) collate "C" as transaction_id,
    environment_code,
    environment_name(environment_code) as environment,
    case when is_signed then 'signed' else 'apple_response' end collate "C" as trust,
    -- As in the index lone_evidence_chain.
    coalesce(original_number, transaction_number) as original_number,
    identifier_text(coalesce(original_number, transaction_number)) collate "C" as original_transaction_id,
    product_number,
    (
        select recorded_product.product_id
        from recorded_product
        where recorded_product.product_number = lone_evidence.product_number
    ) as product_id,
    product_type,
    coalesce(quantity, 1)::bigint as quantity,
    purchased_at as first_purchased_at,
    original_purchased_at as first_original_purchased_at,
    original_purchased_at,
    expires_at,
    cancelled_at,
    revocation_percentage,
    line_item_number,
    identifier_text(line_item_number) collate "C" as web_order_line_item_id,
    is_trial,
    is_introductory_offer,
    is_promotional_offer,
    is_family_shared,
    is_upgraded,
    price,
    currency,
    storefront,
    case when account_id is null then '{}' else array[account_id] end as account_ids,
    case when account_token is null then '{}' else array[account_token] end as account_tokens,
    case when device_id is null then '{}' else array[device_id] end as device_ids,
    false as is_conflicting,
    false as is_refund_questioned,
    looks_forged(is_signed, dates_disagree, environments_disagree, expires_at) as is_suspicious
from lone_evidence
union all
select
    transaction_number,
    identifier_text(transaction_number) collate "C",
    environment_code,
    environment_name(environment_code),
    case when is_signed then 'signed' else 'apple_response' end collate "C",
    original_number,
    identifier_text(original_number) collate "C",
    product_number,
    (
        select recorded_product.product_id
        from recorded_product
        where recorded_product.product_number = merged_transaction.product_number
    ),
    product_type,
    quantity,
    first_purchased_at,
    first_original_purchased_at,
    original_purchased_at,
    expires_at,
    cancelled_at,
    revocation_percentage,
    line_item_number,
    identifier_text(line_item_number) collate "C",
    is_trial,
    is_introductory_offer,
    is_promotional_offer,
    is_family_shared,
    is_upgraded,
    price,
    currency,
    storefront,
    account_ids,
    account_tokens,
    device_ids,
    is_conflicting,
    is_refund_questioned,
    is_suspicious
from merged_transaction
