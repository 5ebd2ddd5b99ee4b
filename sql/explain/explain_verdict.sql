-- Returns one row for each rule and explained thing: the words of what the rule found, or why it found nothing.
--
-- Rules about purchases were applied again to the affected part. For other rules, the open findings are used.
--
-- The words of a rule that found nothing are in its header (`Otherwise`), unless they depend on the thing.
--
-- Takes  thing, looked_at, found, cause, applied_rule: place, rule, is_of_purchases, otherwise.
-- Gives  environment, thing_key, rule, verdict, level, reason, words, finding, status, subject, refunded_at: when the
--        family of a delivery without a purchase was refunded; device_id, error: of an unfinished delivery
with

said as (

    select
        looked_at.environment,
        looked_at.thing_key,
        looked_at.rule,
        coalesce(found.level, finding.level) as level,
        case when found.rule is not null then found.reason else finding.reason end as reason,
        -- These findings are about more than the thing, and there can be several of them.
        concat_ws(
            ': ',
            case
                when
                    looked_at.rule in (
                        'invalid_product_id', 'silent_source', 'stale_feed', 'unexplained_difference'
                    )
                    then looked_at.subject
            end,
            coalesce(found.detail, finding.detail)
        ) as words,
        looked_at.subject,
        finding.name as finding,
        finding.status,
        family.refunded_at,
        case when looked_at.rule = 'unfinished_delivery' then (found.key).device_id end as device_id,
        unfinished.error
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
    left join lateral (
        select told.error
        from attempt as told
        where
            found.rule = 'unfinished_delivery'
            and told.environment = found.environment
            and told.transaction_id = (found.key).transaction_id
            and told.device_id is not distinct from (found.key).device_id
        order by latest_first(told.occurred_at, told.status, told.delivery_id)
        limit 1
    ) as unfinished
        on true
    where
        found.rule is not null
        or not applied_rule.is_of_purchases and finding.status <> 'resolved'

),

tally as (

    select
        thing.environment,
        thing.thing_key,
        count(distinct member.transaction_id) filter (where member.disposition = 'restored') as restores,
        count(distinct member.transaction_id) as members,
        string_agg(distinct member.product_state, ', ') as states,
        string_agg(distinct member.product_type, ', ') as types
    from thing
    left join member
        on thing.environment = member.environment and thing.thing_key = member.obligation_key
    group by thing.environment, thing.thing_key

),

attempted as (

    select
        thing.environment,
        thing.thing_key,
        count(attempt.delivery_id) as attempts,
        count(attempt.delivery_id) filter (where attempt.status = 'delivered') as delivered
    from thing
    left join attempt
        on thing.environment = attempt.environment
        and thing.thing_key = coalesce(attempt.obligation_key, 'delivery ' || attempt.delivery_id)
    group by thing.environment, thing.thing_key

),

-- A thing that is no purchase has no product state. Only its product is compared with the catalogue.
named as (

    select
        thing.environment,
        thing.thing_key,
        attempt.product_id
    from thing
    inner join attempt
        on thing.environment = attempt.environment and thing.thing_key = 'delivery ' || attempt.delivery_id
    union
    select
        thing.environment,
        thing.thing_key,
        claim.product_id
    from thing
    inner join claim
        on thing.environment = claim.environment
        and thing.thing_key = 'claim ' || coalesce(claim.transaction_id, claim.original_transaction_id)

),

listed as (

    select
        named.environment,
        named.thing_key,
        bool_and(product.product_id is not null) as is_listed,
        string_agg(distinct product.type, ', ') as types
    from named
    left join product using (product_id)
    group by named.environment, named.thing_key

),

negative as (

    select
        thing.environment,
        thing.thing_key,
        applied_rule.rule,
        case applied_rule.rule
            when 'missing_delivery' then
                case cause.cause
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
                    when cause.cause in ('failed', 'pending') then 'the rule missing_delivery reports it'
                    when attempted.attempts = 0 then 'no attempt'
                    else 'no latest attempt of a device is open after its grace period'
                end
            when 'duplicate_restore' then format('restored transactions: %s, not more than allowed', tally.restores)
            when 'unrestorable_restore' then
                coalesce(
                    'product type: ' || coalesce(tally.types, listed.types),
                    'the catalogue has no type for its product'
                )
            when 'delivery_without_purchase' then
                case
                    when attempted.delivered = 0 then 'nothing was delivered'
                    else 'the delivery belongs to a purchase, or its purchase may still arrive'
                end
            when 'duplicate_delivery'
                then format('delivered deliveries: %s, none twice to one device', attempted.delivered)
            when 'conflicting_transaction' then
                case
                    when tally.members > 0 then 'all evidence agrees about the fields that cannot change'
                    else 'no evidence'
                end
            when 'invalid_product_id' then
                case
                    when tally.members > 0 then 'product state: ' || tally.states
                    when listed.is_listed then 'the catalogue lists its product'
                    else 'there is no catalogue'
                end
            when 'conflicting_delivery' then
                case when attempted.attempts = 0 then 'no attempt' else 'no records of one delivery disagree' end
            when 'purchase_without_receipt' then
                case when tally.members > 0 then 'evidence contains it' else 'no app reports a purchase' end
            else applied_rule.otherwise
        end as words
    from thing
    cross join applied_rule
    inner join tally using (environment, thing_key)
    inner join attempted using (environment, thing_key)
    left join listed using (environment, thing_key)
    left join cause using (environment, thing_key)
    where
        thing.kind in ('purchase', 'delivery', 'claim')
        and not exists (
            select
            from said
            where
                said.environment = thing.environment
                and said.thing_key = thing.thing_key
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
