-- Returns one row for each finding about an explained thing, of each rule.
--
-- Rules about purchases were applied again to the affected part. For other rules, the findings that are not resolved
-- are used.
--
-- Takes  thing, looked_at, found, finding, applied_rule: rule, is_of_purchases.
-- Gives  environment, thing_key, rule, its place, verdict: found, level, reason, words, finding, status, subject,
--        product_id: of the finding's key, if it has one; refunded_at: when the family of a delivery without a purchase
--        was refunded, and refund_verb: what that is called; device_id, error: of an unfinished delivery
with

-- The error of the latest attempt of each device.
latest as (

    select
        environment,
        transaction_id,
        device_id,
        (array_agg(error order by latest_first(occurred_at, status, delivery_id)))[1] as error
    from attempt
    group by environment, transaction_id, device_id

)

select
    looked_at.environment,
    looked_at.thing_key,
    looked_at.rule,
    applied_rule.place,
    'found' as verdict,
    coalesce(found.level, finding.level) as level,
    case when found.rule is not null then found.reason else finding.reason end as reason,
    -- These findings are about more than the thing.
    concat_ws(
        ': ',
        case
            when
                looked_at.rule in (
                    'invalid_product_id',
                    'conflicting_catalogue',
                    'catalogue_disagreement',
                    'silent_source',
                    'unpriced_product',
                    'stale_feed',
                    'unexplained_difference'
                )
                then looked_at.subject
        end,
        coalesce(found.detail, finding.detail)
    ) as words,
    looked_at.subject,
    case when found.rule is not null then (found.key).product_id else (finding.key).product_id end as product_id,
    finding.name as finding,
    finding.status,
    csv_instant(family.refunded_at) as refunded_at,
    -- As in explain_representing_purchase.sql.
    case
        when family.refunded_at is null then null
        when family.disposition = 'family_shared' then 'no longer shared'
        when family.disposition = 'free' then 'cancelled'
        else 'refunded'
    end as refund_verb,
    (found.key).device_id,
    latest.error
from thing
inner join looked_at using (environment, thing_key)
inner join applied_rule using (rule)
left join found
    on applied_rule.is_of_purchases
    and looked_at.rule = found.rule
    and looked_at.subject_environment = found.environment
    and looked_at.subject = found.subject
left join finding
    on looked_at.rule = finding.rule
    and looked_at.subject_environment = finding.environment
    and text_hash(looked_at.subject) = finding.subject_hash
left join attempt
    on looked_at.rule = 'delivery_without_purchase'
    and looked_at.subject_environment = attempt.environment
    and looked_at.subject = attempt.delivery_id
left join family
    on attempt.environment = family.environment and attempt.family_key = family.family_key
left join latest
    on found.rule = 'unfinished_delivery'
    and found.environment = latest.environment
    and (found.key).transaction_id = latest.transaction_id
    and coalesce((found.key).device_id, '') = coalesce(latest.device_id, '')
    and (found.key).device_id is not distinct from latest.device_id
where
    found.rule is not null
    or not applied_rule.is_of_purchases and finding.status <> 'resolved'
