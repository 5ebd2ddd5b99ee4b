-- Merges the evidence of each touched transaction into one row of merged_transaction.
--
-- The merge is commutative, associative and idempotent. A flag is true if any evidence says so. The first dates and the
-- cancellation are the earliest. The storefront is the lowest and the refunded part is the largest in any evidence. All
-- accounts, account tokens and devices are kept. For every other value, signed evidence comes before unsigned evidence,
-- then older evidence before younger evidence, and of equally old values the smallest counts. Transaction ids are
-- compared as numbers: the shorter one comes first. Under `trust: signed` only signed evidence is merged.
--
-- Takes  touched_transaction, and drops it.

delete from merged_transaction
using touched_transaction
where
    merged_transaction.environment_code = touched_transaction.environment_code
    and merged_transaction.transaction_number = touched_transaction.transaction_number;

insert into merged_transaction (
    environment_code, transaction_number, original_number, product_number, quantity, first_purchased_at,
    first_original_purchased_at, original_purchased_at, expires_at, cancelled_at,
    line_item_number, is_trial, is_introductory_offer, is_promotional_offer, is_family_shared,
    is_upgraded, price, currency, storefront, account_ids, device_ids, is_conflicting, is_signed, product_type,
    revocation_percentage, account_tokens, is_refund_questioned, is_suspicious
)
select
    evidence.environment_code,
    evidence.transaction_number,
    coalesce(
        (array_agg(
            evidence.original_number
            order by evidence.place, identifier_order(evidence.original_number)
        ) filter (where evidence.original_number is not null))[1],
        evidence.transaction_number
    ) as original_number,
    (array_agg(
        evidence.product_number
        order by evidence.place, recorded_product.product_id
    ))[1] as product_number,
    coalesce(
        (array_agg(
            evidence.quantity
            order by evidence.place, evidence.quantity
        ) filter (where evidence.quantity is not null))[1],
        1
    ) as quantity,
    min(evidence.purchased_at) as first_purchased_at,
    min(evidence.original_purchased_at) as first_original_purchased_at,
    (array_agg(
        evidence.original_purchased_at
        order by evidence.place, evidence.original_purchased_at
    ) filter (where evidence.original_purchased_at is not null))[1] as original_purchased_at,
    (array_agg(
        evidence.expires_at
        order by evidence.place, evidence.expires_at
    ) filter (where evidence.expires_at is not null))[1] as expires_at,
    min(evidence.cancelled_at) as cancelled_at,
    (array_agg(
        evidence.line_item_number
        order by evidence.place, identifier_order(evidence.line_item_number)
    ) filter (where evidence.line_item_number is not null))[1] as line_item_number,
    bool_or(evidence.is_trial) as is_trial,
    bool_or(evidence.is_introductory_offer) as is_introductory_offer,
    bool_or(evidence.is_promotional_offer) as is_promotional_offer,
    bool_or(evidence.is_family_shared) as is_family_shared,
    bool_or(evidence.is_upgraded) as is_upgraded,
    -- Price and currency are one value. Of equal prices, the one with fewer decimal places counts.
    (array_agg(
        evidence.price
        order by evidence.place, evidence.price, evidence.currency, scale(evidence.price)
    ) filter (where evidence.price is not null))[1] as price,
    (array_agg(
        evidence.currency
        order by evidence.place, evidence.price, evidence.currency, scale(evidence.price)
    ) filter (where evidence.price is not null))[1] as currency,
    min(evidence.storefront) as storefront,
    coalesce(
        array_agg(distinct evidence.account_id) filter (where evidence.account_id is not null), '{}'
    ) as account_ids,
    coalesce(
        array_agg(distinct evidence.device_id) filter (where evidence.device_id is not null), '{}'
    ) as device_ids,
    count(distinct evidence.product_number) > 1
    or count(distinct evidence.original_number) > 1
    or count(distinct evidence.quantity) > 1
    -- Or unsigned evidence has a line item, or a price, that signed evidence does not have, although signed evidence
    -- has one.
    or coalesce(
        count(distinct evidence.line_item_number)
        > nullif(
            count(distinct evidence.line_item_number) filter (where evidence.is_signed), 0
        ),
        false
    )
    or coalesce(
        count(distinct evidence.currency || trim_scale(evidence.price))
        > nullif(
            count(distinct evidence.currency || trim_scale(evidence.price))
                filter (where evidence.is_signed),
            0
        ),
        false
    ) as is_conflicting,
    bool_or(evidence.is_signed) as is_signed,
    (array_agg(evidence.product_type order by evidence.evidence_at, evidence.product_type)
        filter (where evidence.product_type is not null))[1] as product_type,
    max(evidence.revocation_percentage) as revocation_percentage,
    coalesce(
        array_agg(distinct evidence.account_token) filter (where evidence.account_token is not null),
        '{}'
    ) as account_tokens,
    bool_or(evidence.cancelled_at is not null)
    and (
        bool_or(shows_no_refund(evidence.is_signed_transaction, evidence.cancelled_at, evidence.is_upgraded))
        -- Evidence without a part means all of it, perhaps of another day.
        or count(distinct coalesce(evidence.revocation_percentage, whole_refund()))
            filter (where evidence.cancelled_at is not null) > 1
        -- A copy of the purchase can show that Apple took one of them back.
        or count(distinct evidence.cancelled_at) > 1
    ) as is_refund_questioned,
    bool_or(
        looks_forged(
            evidence.is_signed, evidence.dates_disagree, evidence.environments_disagree, evidence.expires_at
        )
    ) as is_suspicious
from (
    -- The evidence of tonight's few transactions is brought together here before it is merged.
    select
        differing_evidence.*,
        -- The evidence whose values count has the first place: signed evidence, then the oldest.
        rank() over (
            partition by differing_evidence.transaction_number, differing_evidence.environment_code
            order by differing_evidence.is_signed desc, differing_evidence.evidence_at
        ) as place
    from differing_evidence
    inner join touched_transaction using (environment_code, transaction_number)
    offset 0
) as evidence
inner join recorded_product on evidence.product_number = recorded_product.product_number
cross join night
where night.trust <> 'signed' or evidence.is_signed
group by evidence.transaction_number, evidence.environment_code;

drop table touched_transaction
