-- Returns one finding for each delivery that no purchase pays for.
--
-- Finds      delivered deliveries of listed products since the books begin, after their grace period, whose transaction
--            is known in another environment only, or is not known, or whose family was refunded before.
-- Leaves out families whose refund was an upgrade, and deliveries of a chain's product that also serve a purchase of
--            the chain that was not refunded before.
--
-- Levels     error, warning
-- Judges     purchases
-- Exception  match_exception.sql
-- Time       carried_due.sql
-- Reads      attempt, books, family, member, night
-- Gives      level, environment, reason, detail, family_key
-- Key        delivery_id
-- Sentence   Delivered without a purchase
-- Otherwise  explain_verdict.sql
with

candidate as not materialized (

    select
        attempt.environment,
        attempt.family_key,
        attempt.delivery_id,
        attempt.product_id,
        attempt.transaction_id,
        attempt.occurred_at
    from attempt
    cross join night
    cross join books
    where
        attempt.is_configured
        and attempt.status = 'delivered'
        and attempt.is_listed
        and attempt.grace_ends_at <= night.as_of
        and attempt.occurred_at >= books.begin_at

),

-- Few deliveries belong to no family. Their transactions are looked up in one pass over all members, because a lookup
-- for each delivery would scan all members each time.
unplaced as materialized (

    select
        environment,
        delivery_id,
        product_id,
        transaction_id,
        occurred_at
    from candidate
    where family_key is null

),

named as materialized (

    select
        environment,
        transaction_id,
        original_transaction_id
    from member
    where
        transaction_id in (select transaction_id from unplaced)
        or original_transaction_id in (select transaction_id from unplaced)

),

-- EXISTS instead of a join: thousands of transactions can share an original.
known_elsewhere as (

    select delivery_id
    from unplaced
    where exists (
        select
        from named
        where
            named.transaction_id = unplaced.transaction_id
            and named.environment <> unplaced.environment
    )

),

somebodys_original as (

    select delivery_id
    from unplaced
    where exists (
        select
        from named
        where named.original_transaction_id = unplaced.transaction_id
    )

),

-- Few families are refunded. They are selected here, so that they are held in memory while the many deliveries are
-- read.
given_back as not materialized (

    select
        environment,
        family_key,
        obligation_key,
        refunded_at
    from family
    where refunded_at is not null and not is_upgrade

),

-- The purchases that a delivery for a refunded one serves too: those of the same chain.
other_purchase as materialized (

    select
        environment,
        obligation_key,
        product_id,
        purchased_at,
        refunded_at
    from family
    where is_completed and obligation_key in (select obligation_key from given_back)

),

reasoned as (

    select
        unplaced.environment,
        unplaced.delivery_id,
        unplaced.product_id,
        unplaced.transaction_id,
        unplaced.occurred_at,
        null as family_key,
        case
            when known_elsewhere.delivery_id is not null then 'other_environment'
            when somebodys_original.delivery_id is null then 'unknown_transaction'
        end as reason
    from unplaced
    left join known_elsewhere on unplaced.delivery_id = known_elsewhere.delivery_id
    left join somebodys_original on unplaced.delivery_id = somebodys_original.delivery_id
    union all
    select
        candidate.environment,
        candidate.delivery_id,
        candidate.product_id,
        candidate.transaction_id,
        candidate.occurred_at,
        candidate.family_key,
        'refunded' as reason
    from candidate
    inner join given_back using (environment, family_key)
    where
        given_back.refunded_at < candidate.occurred_at
        and not exists (
            select
            from other_purchase
            where
                other_purchase.environment = given_back.environment
                and other_purchase.obligation_key = given_back.obligation_key
                and other_purchase.product_id = candidate.product_id
                and other_purchase.purchased_at <= candidate.occurred_at
                and coalesce(other_purchase.refunded_at >= candidate.occurred_at, true)
        )

)

select
    case when reason = 'other_environment' then 'warning' else 'error' end as level,
    environment,
    delivery_id,
    reason,
    format(
        '%s for transaction %s at %s', product_id, transaction_id, csv_instant(occurred_at)
    ) as detail,
    family_key
from reasoned
where reason is not null
