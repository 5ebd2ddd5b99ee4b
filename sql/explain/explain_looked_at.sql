-- Returns one row for each rule that applies to an affected thing, with the subject under which the rule would have
-- found it.
--
-- The key of a purchase is the key of its obligation. A delivery without a purchase, a claim of an app that no evidence
-- contains and a transaction that is not considered yet have keys of their own.
--
-- A new rule needs no line here if its key is transaction_id, delivery_id or product_id alone, transaction_id and
-- device_id, or that of a purchase, which begins with original_transaction_id.
--
-- Takes  the judged relations, silent_server (explain_silent_server.sql), carried_shared_family of the affected part,
--        finding, applied_rule: rule, key.
-- Gives  environment, thing_key, rule, subject_environment, subject
with

placed_attempt as (

    select
        attempt.*,
        attempt_thing(attempt.obligation_key, attempt.delivery_id) as thing_key
    from attempt

),

placed_claim as (

    select
        claim.environment,
        claim.transaction_id,
        claim.product_id,
        claim.app_version,
        claim.state,
        claim.occurred_at,
        coalesce(member.obligation_key, claim_thing(claim.transaction_id, claim.original_transaction_id)) as thing_key
    from claim
    left join member
        on claim.environment = member.environment and claim.transaction_id = member.transaction_id
    where coalesce(claim.transaction_id, claim.original_transaction_id) is not null

),

-- A purchase that owes a delivery is delivered only by its own product. A purchase of a product that the catalogue does
-- not list, and a delivery without a purchase, owe nothing.
delivered as (

    select distinct
        placed_attempt.environment,
        placed_attempt.thing_key
    from placed_attempt
    left join obligation
        on placed_attempt.environment = obligation.environment
        and placed_attempt.thing_key = obligation.obligation_key
    where
        placed_attempt.status = 'delivered'
        and placed_attempt.product_id = coalesce(obligation.product_id, placed_attempt.product_id)

),

-- A delivery or a claim of a purchase can name another product than the purchase. What the catalogues say about that
-- product says nothing about the purchase, except that a delivery names an identifier that is not valid.
sighted as (

    select
        environment,
        obligation_key as thing_key,
        product_id,
        product_state,
        true as is_own
    from member
    union
    select
        environment,
        thing_key,
        product_id,
        case when is_listed then 'valid' else 'unknown' end,
        obligation_key is null
    from placed_attempt
    union
    select
        environment,
        thing_key,
        product_id,
        'valid',
        starts_with(thing_key, 'claim ')
    from placed_claim

),

-- The days of everything that Apple may have counted, as the books count days and as Apple does, with the country of
-- the sale if it is known. A delivery or a claim counts only if its purchase is unknown.
dated as (

    select distinct
        event.environment,
        event.thing_key,
        event.product_id,
        coalesce(country_code(event.storefront), '') as country,
        (event.at at time zone zone.name)::date as day
    from (
        select environment, obligation_key as thing_key, product_id, storefront, purchased_at as at
        from member
        where is_configured and disposition <> 'restored'
        union all
        select environment, obligation_key, product_id, storefront, refunded_at
        from member
        where is_configured and disposition <> 'restored' and refunded_at is not null
        union all
        select environment, thing_key, product_id, null, occurred_at
        from placed_attempt
        where obligation_key is null
        union all
        select environment, thing_key, product_id, null, occurred_at
        from placed_claim
        where starts_with(thing_key, 'claim ')
    ) as event
    cross join night
    cross join lateral (values (night.time_zone), (apple_time_zone())) as zone (name)

),

-- The open differences to Apple's reports.
difference as materialized (

    select
        (finding.key).product_id as product_id,
        (finding.key).country as country,
        (finding.key).period as period,
        finding.subject
    from finding
    where
        finding.rule = 'unexplained_difference'
        and finding.status <> 'resolved'
        and (finding.key).product_id in (select product_id from dated)

),

-- Periods and days are compared once, not for each purchase and each difference.
reported_day as materialized (

    select
        asked.product_id,
        asked.day,
        reported.period
    from (select distinct product_id, day from dated) as asked
    inner join (
        select distinct
            product_id,
            period,
            -- One day, or the first and the last one: 2026-11-16 or 2026-09-27..2026-10-31.
            left(period, 10)::date as begins_on,
            right(period, 10)::date as ends_on
        from difference
    ) as reported
        on asked.product_id = reported.product_id
        and asked.day between reported.begins_on and reported.ends_on

),

-- Keys of several fields.
keyed as (

    -- The missing delivery of a purchase whose evidence was withdrawn.
    select
        environment,
        thing_key,
        'missing_delivery' as rule,
        environment as subject_environment,
        jsonb_build_object('original_transaction_id', transaction_id, 'product_id', product_id) as key
    from placed_attempt
    where obligation_key is null
    union
    select
        placed_attempt.environment,
        placed_attempt.thing_key,
        applied_rule.rule,
        placed_attempt.environment,
        jsonb_build_object('transaction_id', placed_attempt.transaction_id, 'device_id', placed_attempt.device_id)
    from placed_attempt
    cross join applied_rule
    where applied_rule.key = 'transaction_id, device_id'
    union
    select
        environment,
        thing_key,
        'invalid_product_id',
        '',
        jsonb_build_object('product_id', product_id, 'product_reason', product_state)
    from sighted
    where product_state <> 'valid'
    union
    select
        sighted.environment,
        sighted.thing_key,
        wrong.rule,
        '',
        jsonb_build_object('product_id', sighted.product_id, 'product_reason', wrong.reason)
    from sighted
    cross join (
        values
        ('invalid_product_id', 'reported_by_app'),
        ('catalogue_disagreement', 'unknown_to_store'),
        ('catalogue_disagreement', 'not_offered_by_app')
    ) as wrong (rule, reason)
    where sighted.is_own
    union
    -- The silence of a server that could have delivered it, also if other servers were heard.
    select
        environment,
        obligation_key,
        'silent_source',
        '',
        jsonb_build_object('server', server, 'begins_at', begins_at)
    from silent_server
    union
    select
        family.environment,
        family.obligation_key,
        'shared_purchase',
        '',
        jsonb_build_object(case when shared.namespace = '' then 'account_ids' else 'account_tokens' end, shared.names)
    from carried_shared_family as shared
    inner join family using (environment, family_key)

)

select
    environment,
    obligation_key as thing_key,
    'missing_delivery' as rule,
    environment as subject_environment,
    subject
from obligation
union
select keyed.environment, keyed.thing_key, keyed.rule, keyed.subject_environment, finding_subject(given.key)
from keyed
-- As in night_rule.sql.
cross join lateral (
    select jsonb_populate_record(null::finding_key, keyed.key) as key
    limit all
    offset 0
) as given
union
select family.environment, family.obligation_key, applied_rule.rule, family.environment, family.subject
from family
cross join applied_rule
where starts_with(applied_rule.key, 'original_transaction_id, ')
union
select member.environment, member.obligation_key, applied_rule.rule, member.environment, member.transaction_id
from member
cross join applied_rule
where applied_rule.key = 'transaction_id'
union
select environment, thing_key, 'duplicate_delivery', environment, transaction_id
from placed_attempt
union
select environment, thing_key, applied_rule.rule, environment, delivery_id
from placed_attempt
cross join applied_rule
where applied_rule.key = 'delivery_id'
union
select environment, thing_key, 'purchase_without_receipt', environment, transaction_id
from placed_claim
where transaction_id is not null
union
select environment, thing_key, 'automatic_restore', '', coalesce(app_version, 'unknown')
from placed_claim
where state = 'restored'
union
select sighted.environment, sighted.thing_key, applied_rule.rule, '', sighted.product_id
from sighted
cross join applied_rule
where applied_rule.key = 'product_id' and sighted.is_own
union
-- The differences to Apple's reports about the product, in the periods in which it was bought, refunded or delivered.
select dated.environment, dated.thing_key, 'unexplained_difference', '', difference.subject
from dated
inner join reported_day
    on dated.product_id = reported_day.product_id and dated.day = reported_day.day
inner join difference
    on reported_day.product_id = difference.product_id
    and reported_day.period = difference.period
    and (dated.country = '' or coalesce(difference.country, dated.country) = dated.country)
union
-- A feed that brings nothing any more can be the reason for everything that is not known to be delivered.
select sighted.environment, sighted.thing_key, 'stale_feed', '', finding.subject
from sighted
cross join finding
where
    finding.rule = 'stale_feed'
    and finding.status <> 'resolved'
    and not exists (
        select
        from delivered
        where delivered.environment = sighted.environment and delivered.thing_key = sighted.thing_key
    )
