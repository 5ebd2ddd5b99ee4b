-- Returns one row for each explained thing and each rule that found nothing about it: why.
--
-- The words are in the rule's header (`Otherwise`), unless they depend on the thing.
--
-- Takes  thing, found_rule (explain_found_rule.sql), purchase_cause, applied_rule: place, rule, is_of_purchases,
--        otherwise; the judged relations.
-- Gives  environment, thing_key, rule, verdict: not found, words, and the other columns of found_rule, empty
with

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
        member.is_configured,
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
        attempt.is_configured,
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
        and named.thing_key = attempt_thing(attempt.obligation_key, attempt.delivery_id)
    left join product on attempt.product_id = product.product_id
    union all
    select
        named.environment,
        named.thing_key,
        named.cause,
        claim.is_configured,
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
        and named.thing_key = claim_thing(claim.transaction_id, claim.original_transaction_id)
    left join product on claim.product_id = product.product_id

),

-- Counted in one pass: a join of several counts would compare each thing with each other.
counted as (

    select
        environment,
        thing_key,
        cause,
        bool_or(is_configured) as is_configured,
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

)

select
    counted.environment,
    counted.thing_key,
    applied_rule.rule,
    'not found' as verdict,
    coalesce(
        -- suspicious_receipt is found in any environment.
        case
            when
                not counted.is_configured
                and (
                    applied_rule.is_of_purchases and applied_rule.rule <> 'suspicious_receipt'
                    or applied_rule.rule = 'shared_purchase'
                )
                then 'its environment is not judged'
        end,
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
                    else 'no purchase that owes a delivery'
                end
            when 'unfinished_delivery' then
                case
                    when counted.cause in ('failed', 'pending', 'wrong_product')
                        then 'the rule missing_delivery reports it'
                    when counted.attempts = 0 then 'no attempt'
                    when counted.members = 0 then 'its delivery belongs to no purchase'
                    when counted.cause = 'refunded' then 'it was refunded'
                    else 'the latest attempt of each device was delivered, is in its grace period, or is for a '
                        'refunded purchase'
                end
            when 'duplicate_restore' then
                case
                    when counted.restores = 0 then 'it was not restored'
                    else
                        format(
                            'restored transactions: %s, in each family not more than allowed, or the last one is older '
                            'than restore_window',
                            counted.restores
                        )
                end
            when 'unrestorable_restore' then
                coalesce(
                    'product type: ' || coalesce(counted.types, counted.listed_types),
                    'the catalogue has no type for its product'
                )
            when 'delivery_without_purchase' then
                case
                    when counted.delivered = 0 then 'nothing was delivered'
                    else 'each delivery belongs to a purchase, is in its grace period, is before the books begin, '
                        'is of a product that the catalogue does not list, or names the original of other transactions'
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
                    when not exists (select from product) then 'there is no catalogue'
                    when counted.members > 0 then 'product state: ' || counted.states
                    when counted.is_listed then 'the catalogue lists its product'
                    else 'no transaction or delivery of a judged environment names it'
                end
            when 'conflicting_delivery' then
                case when counted.attempts = 0 then 'no attempt' else 'no records of one delivery disagree' end
            when 'purchase_without_receipt' then
                case
                    when counted.members > 0 then 'evidence contains it'
                    when counted.thing_key like 'claim %'
                        then 'no app reports it as purchased, its grace period has not ended, or evidence contains it '
                            'under another id'
                    else 'no app reports a purchase'
                end
            else applied_rule.otherwise
        end
    ) as words,
    null as level,
    null as reason,
    '' as subject,
    null as product_id,
    null as finding,
    null as status,
    null as refunded_at,
    null as refund_verb,
    null as device_id,
    null as error
from counted
cross join applied_rule
where
    not exists (
        select
        from found_rule
        where
            found_rule.environment = counted.environment
            and found_rule.thing_key = counted.thing_key
            and found_rule.rule = applied_rule.rule
    )
order by counted.environment, counted.thing_key, applied_rule.place
