-- Returns the sampled chains for which the judgement of the rules differs from the counts and sums of match/, with the
-- difference. No row if both agree.
--
-- A matched chain has no finding and no open item, the members and attempts that were paired, and the same obligations.
-- Its sales need no comparison: they are made from the same columns by the same query.
--
-- The rules judge no delivery record of a matched chain: it would count twice. This is checked for all chains.
--
-- Takes  matched, sampled (match_ledger.sql), delivery_record: the exceptions' part; the judged relations, found, and
--        the carried relations.
-- Gives  chain_id, difference
with

chain as materialized (

    select distinct
        environment,
        identifier_text(original_number) as original_transaction_id
    from sampled

),

chain_member as materialized (

    select member.*
    from member
    where member.original_transaction_id in (select original_transaction_id from chain)

),

paired_member as (

    select
        identifier_text(original_number) as chain_id,
        environment,
        identifier_text(transaction_number) as transaction_id,
        product_id,
        product_type,
        quantity,
        purchased_at,
        expires_at,
        is_trial,
        is_offer,
        price,
        currency,
        storefront,
        trust,
        disposition,
        is_configured,
        not is_configured or is_completed as is_completed
    from sampled

),

judged_member as (

    select
        chain_member.original_transaction_id as chain_id,
        chain_member.environment,
        chain_member.transaction_id,
        chain_member.product_id,
        chain_member.product_type,
        chain_member.quantity,
        chain_member.purchased_at,
        chain_member.expires_at,
        chain_member.is_trial,
        chain_member.is_offer,
        chain_member.price,
        chain_member.currency,
        chain_member.storefront,
        chain_member.trust,
        chain_member.disposition,
        chain_member.is_configured,
        -- A transaction of another environment is only counted.
        not chain_member.is_configured or chain_member.is_completed_purchase as is_completed
    from chain_member
    left join family using (environment, family_key)
    -- A refunded family would never match.
    where family.refunded_at is null or not chain_member.is_configured

),

paired_attempt as (

    select
        identifier_text(original_number) as chain_id,
        environment,
        identifier_text(transaction_number) as transaction_id,
        product_id,
        'delivered' as status,
        delivered_at,
        server,
        region,
        app_version
    from sampled
    where is_configured and delivered_at is not null

),

judged_attempt as (

    select
        chain_member.original_transaction_id as chain_id,
        attempt.environment,
        attempt.transaction_id,
        attempt.product_id,
        attempt.status,
        attempt.occurred_at,
        attempt.server,
        attempt.region,
        attempt.app_version
    from chain_member
    inner join attempt using (environment, family_key)
    where chain_member.transaction_id = attempt.transaction_id and attempt.is_configured

),

paired_obligation as (

    select
        identifier_text(sampled.original_number) as chain_id,
        sampled.environment,
        identifier_text(sampled.transaction_number) as transaction_id,
        sampled.due_at,
        case
            when sampled.purchased_at >= books.begin_at is not true then 'before_books'
            when sampled.delivered_at is not null then 'delivered'
            else 'on_demand'
        end as class
    from sampled
    cross join books
    where
        sampled.is_configured
        and sampled.is_completed
        and not sampled.is_served_by_chain
        and is_our_delivery(sampled.delivery)

),

judged_obligation as (

    select
        obligation.original_transaction_id as chain_id,
        obligation.environment,
        obligation.transaction_id,
        obligation.due_at,
        obligation.class
    from obligation
    where obligation.original_transaction_id in (select original_transaction_id from chain)

),

open_item as (

    select
        chain_member.original_transaction_id as chain_id,
        found.rule
    from found
    inner join chain_member
        on found.environment = chain_member.environment
        and found.family_key = chain_member.family_key
    union all
    select
        chain.original_transaction_id,
        found.rule
    from found
    inner join chain
        on found.environment = chain.environment
        and (found.key).original_transaction_id = chain.original_transaction_id
    union all
    select
        chain_member.original_transaction_id,
        'shared_purchase'
    from carried_shared_family
    inner join chain_member using (environment, family_key)
    union all
    select
        chain_member.original_transaction_id,
        'invalid_product_id'
    from carried_invalid_sighting as sighting
    inner join chain_member using (environment, transaction_id)
    where sighting.kind = 'transaction'
    union all
    select
        chain_member.original_transaction_id,
        'owed'
    from carried_owed
    inner join chain_member using (environment, family_key)
    union all
    select
        chain_member.original_transaction_id,
        'due'
    from carried_due
    inner join chain_member using (transaction_id)
    -- A row about the restores of another chain names their original, which can be a transaction of this chain.
    where not exists (
        select
        from member as other
        where
            other.original_transaction_id = chain_member.transaction_id
            and other.original_transaction_id <> chain_member.original_transaction_id
    )

)

select
    chain_id,
    'member' as difference
from (
    (
        select *
        from paired_member
        except all
        select *
        from judged_member
    )
    union all
    (
        select *
        from judged_member
        except all
        select *
        from paired_member
    )
) as member_difference
union
select
    chain_id,
    'attempt'
from (
    (
        select *
        from paired_attempt
        except all
        select *
        from judged_attempt
    )
    union all
    (
        select *
        from judged_attempt
        except all
        select *
        from paired_attempt
    )
) as attempt_difference
union
select
    chain_id,
    'obligation'
from (
    (
        select *
        from paired_obligation
        except all
        select *
        from judged_obligation
    )
    union all
    (
        select *
        from judged_obligation
        except all
        select *
        from paired_obligation
    )
) as obligation_difference
union
select
    identifier_text(original_number),
    'shared delivery'
from matched
where delivered_number in (select transaction_number from delivery_record)
union
select
    chain_id,
    rule
from open_item
order by chain_id, difference
limit 10
