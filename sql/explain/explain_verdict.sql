-- Returns one row for each rule and explained thing: what the rule found, or why it found nothing.
--
-- Rules about purchases were applied again to the affected part. For other rules, the open findings are used.
--
-- If it found nothing, the words are in its header (`Otherwise`), unless they depend on the thing.
--
-- Takes  thing, looked_at, found, purchase_cause, applied_rule: place, rule, is_of_purchases, otherwise.
-- Gives  environment, thing_key, rule, verdict, level, reason, words, finding, status, subject, refunded_at: when the
--        family of a delivery without a purchase was refunded; device_id, error: of an unfinished delivery
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

),

said as (

    select
        looked_at.environment,
        looked_at.thing_key,
        looked_at.rule,
        coalesce(found.level, finding.level) as level,
        case when found.rule is not null then found.reason else finding.reason end as reason,
        -- These findings are about more than the thing.
        concat_ws(
            ': ',
            case
                when looked_at.rule in ('invalid_product_id', 'silent_source', 'stale_feed', 'unexplained_difference')
                    then looked_at.subject
            end,
            coalesce(found.detail, finding.detail)
        ) as words,
        looked_at.subject,
        finding.name as finding,
        finding.status,
        family.refunded_at,
        case when looked_at.rule = 'unfinished_delivery' then (found.key).device_id end as device_id,
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

),

named as not materialized (

    select
        thing.environment,
        thing.thing_key,
        purchase_cause.cause
    from thing
    left join purchase_cause using (environment, thing_key)
    where thing.kind in ('purchase', 'delivery', 'claim')

),

-- A thing that is no purchase has no product state. Only its product is compared with the catalogue.
recorded as (

    select
        named.environment,
        named.thing_key,
        named.cause,
        member.transaction_id,
        member.disposition,
        member.product_state,
        member.product_type,
        null as delivery_id,
        null as status,
        null::boolean as is_listed,
        null as listed_type
    from named
    left join member
        on named.environment = member.environment and named.thing_key = member.obligation_key
    union all
    select
        named.environment,
        named.thing_key,
        named.cause,
        null,
        null,
        null,
        null,
        attempt.delivery_id,
        attempt.status,
        case when attempt.obligation_key is null then product.product_id is not null end,
        case when attempt.obligation_key is null then product.type end
    from named
    inner join attempt
        on named.environment = attempt.environment
        and named.thing_key = coalesce(attempt.obligation_key, 'delivery ' || attempt.delivery_id)
    left join product on attempt.product_id = product.product_id
    union all
    select
        named.environment,
        named.thing_key,
        named.cause,
        null,
        null,
        null,
        null,
        null,
        null,
        product.product_id is not null,
        product.type
    from named
    inner join claim
        on named.environment = claim.environment
        and named.thing_key = 'claim ' || coalesce(claim.transaction_id, claim.original_transaction_id)
    left join product on claim.product_id = product.product_id

),

-- Counted in one pass: a join of several counts would compare each thing with each other.
counted as (

    select
        environment,
        thing_key,
        cause,
        count(distinct transaction_id) filter (where disposition = 'restored') as restores,
        count(distinct transaction_id) as members,
        string_agg(distinct product_state, ', ' order by product_state) as states,
        string_agg(distinct product_type, ', ' order by product_type) as types,
        count(delivery_id) as attempts,
        count(delivery_id) filter (where status = 'delivered') as delivered,
        bool_and(is_listed) as is_listed,
        string_agg(distinct listed_type, ', ' order by listed_type) as listed_types
    from recorded
    group by environment, thing_key, cause

),

negative as (

    select
        counted.environment,
        counted.thing_key,
        applied_rule.rule,
        case applied_rule.rule
            when 'missing_delivery' then
                case counted.cause
                    when 'delivered' then 'its product was delivered'
                    when 'refunded' then 'it was refunded'
                    when 'not_due' then 'its delivery is not due yet'
                    when 'before_books' then 'it was bought before the books begin'
                    when 'no_books' then 'the log has no delivery at all'
                    when 'not_asked' then 'it was not requested yet'
                    when 'not_ours' then 'the catalogue says that others deliver it'
                    when 'not_listed' then 'the catalogue does not list its product'
                    when 'no_purchase' then 'only restores of it are known'
                    when 'other_environment' then 'its environment is not judged'
                    else 'no purchase that owes a delivery'
                end
            when 'unfinished_delivery' then
                case
                    when counted.cause in ('failed', 'pending') then 'the rule missing_delivery reports it'
                    when counted.attempts = 0 then 'no attempt'
                    else 'the latest attempt of each device was delivered or is in its grace period'
                end
            when 'duplicate_restore' then format('restored transactions: %s, not more than allowed', counted.restores)
            when 'unrestorable_restore' then
                coalesce(
                    'product type: ' || coalesce(counted.types, counted.listed_types),
                    'the catalogue has no type for its product'
                )
            when 'delivery_without_purchase' then
                case
                    when counted.delivered = 0 then 'nothing was delivered'
                    else 'each delivery belongs to a purchase or is in its grace period'
                end
            when 'duplicate_delivery'
                then format('delivered deliveries: %s, none twice to one device', counted.delivered)
            when 'conflicting_transaction' then
                case
                    when counted.members > 0 then 'all evidence agrees about the fields that cannot change'
                    else 'no evidence'
                end
            when 'invalid_product_id' then
                case
                    when counted.members > 0 then 'product state: ' || counted.states
                    when counted.is_listed then 'the catalogue lists its product'
                    else 'there is no catalogue'
                end
            when 'conflicting_delivery' then
                case when counted.attempts = 0 then 'no attempt' else 'no records of one delivery disagree' end
            when 'purchase_without_receipt' then
                case when counted.members > 0 then 'evidence contains it' else 'no app reports a purchase' end
            else applied_rule.otherwise
        end as words
    from counted
    cross join applied_rule
    where
        not exists (
            select
            from said
            where
                said.environment = counted.environment
                and said.thing_key = counted.thing_key
                and said.rule = applied_rule.rule
        )

)

select
    verdict.environment,
    verdict.thing_key,
    verdict.rule,
    verdict.verdict,
    verdict.level,
    verdict.reason,
    verdict.words,
    verdict.finding,
    verdict.status,
    verdict.subject,
    csv_instant(verdict.refunded_at) as refunded_at,
    verdict.device_id,
    verdict.error
from (
    select
        environment,
        thing_key,
        rule,
        'found' as verdict,
        level,
        reason,
        words,
        finding,
        status,
        subject,
        refunded_at,
        device_id,
        error
    from said
    union all
    select
        environment,
        thing_key,
        rule,
        'not found',
        null,
        null,
        words,
        null,
        null,
        '',
        null,
        null,
        null
    from negative
) as verdict
inner join applied_rule using (rule)
order by
    verdict.environment,
    verdict.thing_key,
    verdict.verdict,
    applied_rule.place,
    verdict.subject
