-- Returns what is known of each explained transaction that no evidence contains up to as-of: it was bought after as-of,
-- an app reports it, deliveries name it (also after as-of), or other transactions name it as their original. It has no
-- delivery status.
--
-- Takes  explained_name (explain_seed.sql), latest_attempt (explain_latest_attempt.sql), claim_cause
--        (explain_claim_cause.sql), status_later (explain_status_later.sql).
-- Gives  transaction_id, environment, product_id, thing_key: of the delivery that names it, or null; because
with

unknown as (

    select explained_name.name
    from explained_name
    where explained_name.name not in (select transaction_id from latest_attempt)

),

known as (

    select
        1 as place,
        unknown.name,
        later.environment,
        later.product_id,
        null as thing_key,
        format(
            'it was bought on %s, after as-of: it is not compared yet%s',
            csv_instant(later.first_purchased_at),
            '; ' || status_later.words
        ) as because
    from unknown
    cross join night
    inner join store_transaction as later on unknown.name = later.transaction_id
    left join status_later
        on later.environment = status_later.environment
        and status_later.thing_key = 'transaction ' || later.transaction_id
    where later.first_purchased_at > night.as_of
    union all
    -- The sentence as part of another one.
    select
        2,
        unknown.name,
        claim_cause.environment,
        claim_cause.product_id,
        null,
        lower(left(claim_cause.sentence, 1)) || rtrim(substr(claim_cause.sentence, 2), '.')
    from unknown
    inner join claim_cause on unknown.name = claim_cause.transaction_id
    union all
    (
        select distinct on (unknown.name, attempt.environment)
            3,
            unknown.name,
            attempt.environment,
            attempt.product_id,
            'delivery ' || attempt.delivery_id,
            format(
                'no evidence contains it, but delivery %s of %s names it (%s): load its receipt',
                attempt.delivery_id,
                csv_instant(attempt.occurred_at),
                attempt.status
            )
        from unknown
        inner join attempt on unknown.name = attempt.transaction_id
        where attempt.obligation_key is null
        order by
            unknown.name,
            attempt.environment,
            latest_first(attempt.occurred_at, attempt.status, attempt.delivery_id)
    )
    union all
    (
        select distinct on (unknown.name, member.environment)
            4,
            unknown.name,
            member.environment,
            member.product_id,
            null,
            format(
                'no evidence contains it; it is known as the original of other transactions, such as %s of %s: load '
                'its receipt',
                member.transaction_id,
                csv_instant(member.purchased_at)
            )
        from unknown
        inner join member on unknown.name = member.original_transaction_id
        order by unknown.name, member.environment, member.purchased_at, member.transaction_id
    )
    union all
    select
        5,
        unknown.name,
        status_later.environment,
        status_later.product_id,
        null,
        'no evidence contains it, but ' || status_later.words
    from unknown
    inner join status_later on unknown.name = status_later.transaction_id
    where starts_with(status_later.thing_key, 'later delivery ')

),

-- In each environment what says most; a delivery or an original only if nothing else is known anywhere.
first_known as (

    select
        known.*,
        row_number() over (partition by known.name, known.environment order by known.place, known.because) as number,
        min(known.place) over (partition by known.name) as first_place
    from known

)

select
    name as transaction_id,
    environment,
    product_id,
    thing_key,
    because
from first_known
where number = 1 and (place <= 2 or place = first_place)
