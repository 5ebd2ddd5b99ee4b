-- Returns one finding for each delivery that no purchase pays for.
--
-- Finds      delivered deliveries of listed products since the books begin, after their grace period, whose transaction
--            is known in another environment only, or is not known and is nobody's original transaction, or whose
--            family was refunded before.
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
-- Resolved   records, catalogue
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

-- The deliveries of families that were refunded before.
given_away as materialized (

    select
        candidate.*,
        given_back.obligation_key
    from candidate
    inner join given_back using (environment, family_key)
    where given_back.refunded_at < candidate.occurred_at

),

-- A delivery for a refunded purchase also serves the other purchases of the chain. Purchases and deliveries of each
-- chain, sorted by time: it is one pass, because a chain can have thousands of both.
timed as (

    select
        null as delivery_id,
        environment,
        obligation_key,
        product_id,
        purchased_at as at,
        coalesce(refunded_at, 'infinity') as paid_until
    from family
    where is_completed and obligation_key in (select obligation_key from given_away)
    union all
    select
        delivery_id,
        environment,
        obligation_key,
        product_id,
        occurred_at,
        null
    from given_away

),

dated as (

    select
        delivery_id,
        at,
        max(paid_until) over (
            partition by environment, obligation_key, product_id
            order by at
        ) as paid_until
    from timed

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
        given_away.environment,
        given_away.delivery_id,
        given_away.product_id,
        given_away.transaction_id,
        given_away.occurred_at,
        given_away.family_key,
        'refunded' as reason
    from given_away
    inner join dated using (delivery_id)
    where coalesce(dated.paid_until < dated.at, true)

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
