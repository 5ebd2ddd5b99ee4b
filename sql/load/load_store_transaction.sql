-- What is known of each touched transaction: the merge of its evidence.
--
-- The merge is commutative, associative and idempotent. Flags hold if any evidence says so; the first
-- dates and the cancellation are the earliest; of everything else the oldest evidence's value stands,
-- and of equally old values the smaller one (transaction ids compare as numbers: shorter first).

create temporary table merged_transaction on commit drop as
select
    evidence.environment,
    evidence.transaction_id,
    coalesce(
        (array_agg(
            evidence.original_transaction_id
            order by
                evidence.evidence_at,
                length(evidence.original_transaction_id),
                evidence.original_transaction_id
        ) filter (where evidence.original_transaction_id is not null))[1],
        evidence.transaction_id
    ) as original_transaction_id,
    (array_agg(evidence.product_id order by evidence.evidence_at, evidence.product_id))[1]
        as product_id,
    coalesce(
        (array_agg(evidence.quantity order by evidence.evidence_at, evidence.quantity)
            filter (where evidence.quantity is not null))[1],
        1
    ) as quantity,
    min(evidence.purchased_at) as first_purchased_at,
    min(evidence.original_purchased_at) as first_original_purchased_at,
    (array_agg(
        evidence.original_purchased_at order by evidence.evidence_at, evidence.original_purchased_at
    ) filter (where evidence.original_purchased_at is not null))[1] as original_purchased_at,
    (array_agg(evidence.expires_at order by evidence.evidence_at, evidence.expires_at)
        filter (where evidence.expires_at is not null))[1] as expires_at,
    min(evidence.cancelled_at) as cancelled_at,
    (array_agg(
        evidence.web_order_line_item_id
        order by
            evidence.evidence_at,
            length(evidence.web_order_line_item_id),
            evidence.web_order_line_item_id
    ) filter (where evidence.web_order_line_item_id is not null))[1] as web_order_line_item_id,
    bool_or(evidence.is_trial) as is_trial,
    bool_or(evidence.is_introductory_offer) as is_introductory_offer,
    bool_or(evidence.is_promotional_offer) as is_promotional_offer,
    bool_or(evidence.is_family_shared) as is_family_shared,
    bool_or(evidence.is_upgraded) as is_upgraded,
    -- Price and currency are one value; equal prices keep the shorter writing.
    (array_agg(
        evidence.price
        order by evidence.evidence_at, evidence.price, evidence.currency, scale(evidence.price)
    ) filter (where evidence.price is not null))[1] as price,
    (array_agg(
        evidence.currency
        order by evidence.evidence_at, evidence.price, evidence.currency, scale(evidence.price)
    ) filter (where evidence.price is not null))[1] as currency,
    min(evidence.storefront) as storefront,
    coalesce(
        array_agg(distinct evidence.account_id) filter (where evidence.account_id is not null), '{}'
    ) as account_ids,
    coalesce(
        array_agg(distinct evidence.device_id) filter (where evidence.device_id is not null), '{}'
    ) as device_ids,
    count(distinct evidence.product_id) > 1
    or count(distinct evidence.original_transaction_id) > 1
    or count(distinct evidence.quantity) > 1 as is_conflicting
from evidence
inner join touched_transaction using (environment, transaction_id)
group by evidence.environment, evidence.transaction_id;

delete from store_transaction
using touched_transaction
where
    store_transaction.environment = touched_transaction.environment
    and store_transaction.transaction_id = touched_transaction.transaction_id;

insert into store_transaction (
    environment, transaction_id, original_transaction_id, product_id, quantity, first_purchased_at,
    first_original_purchased_at, original_purchased_at, expires_at, cancelled_at,
    web_order_line_item_id, is_trial, is_introductory_offer, is_promotional_offer, is_family_shared,
    is_upgraded, price, currency, storefront, account_ids, device_ids, is_conflicting
)
select
    environment, transaction_id, original_transaction_id, product_id, quantity, first_purchased_at,
    first_original_purchased_at, original_purchased_at, expires_at, cancelled_at,
    web_order_line_item_id, is_trial, is_introductory_offer, is_promotional_offer, is_family_shared,
    is_upgraded, price, currency, storefront, account_ids, device_ids, is_conflicting
from merged_transaction;

-- One piece of evidence is its own merge.
insert into store_transaction (
    environment, transaction_id, original_transaction_id, product_id, quantity, first_purchased_at,
    first_original_purchased_at, original_purchased_at, expires_at, cancelled_at,
    web_order_line_item_id, is_trial, is_introductory_offer, is_promotional_offer, is_family_shared,
    is_upgraded, price, currency, storefront, account_ids, device_ids, is_conflicting
)
select
    environment,
    transaction_id,
    coalesce(original_transaction_id, transaction_id),
    product_id,
    coalesce(quantity, 1),
    purchased_at,
    original_purchased_at,
    original_purchased_at,
    expires_at,
    cancelled_at,
    web_order_line_item_id,
    is_trial,
    is_introductory_offer,
    is_promotional_offer,
    is_family_shared,
    is_upgraded,
    price::numeric,
    currency,
    storefront,
    array_remove(array[account_id], null),
    array_remove(array[device_id], null),
    false
from staging_evidence
where not exists (
    select
    from retold_transaction
    where
        retold_transaction.environment = staging_evidence.environment
        and retold_transaction.transaction_id = staging_evidence.transaction_id
);

-- What the table was before tells the planner nothing of a first night, and less than nothing where a
-- run was killed and the server counted none of its rows.
analyze store_transaction
