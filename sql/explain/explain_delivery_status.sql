-- What deliveryStatus the evidence supports for each transaction that was asked about, as Apple's consumption
-- request has it. Whether it was refunded does not matter: Apple asks before it decides.
--
-- Takes  explained_name (explain_seed.sql).
-- Gives  transaction_id, environment, product_id, delivery_status: missing where it cannot be known,
--        consumption_percentage, because
with

asked as (

    select
        member.environment,
        member.transaction_id,
        member.obligation_key,
        member.product_id,
        member.product_type,
        member.is_configured,
        member.is_listed,
        member.purchased_at,
        product.delivery,
        member.purchased_at + coalesce(product.grace, night.grace) as due_at
    from explained_name
    cross join night
    inner join member on explained_name.name = member.transaction_id
    left join product on member.product_id = product.product_id
    where not member.is_claimed

),

tally as (

    select
        asked.environment,
        asked.transaction_id,
        count(attempt.delivery_id) as attempts,
        bool_or(attempt.status = 'delivered' and attempt.product_id = asked.product_id) as is_delivered,
        bool_or(attempt.status = 'delivered') as is_other_delivered,
        (array_agg(
            attempt.status
            order by attempt.occurred_at desc, attempt.status, attempt.delivery_id
        ))[1] as latest_status
    from asked
    left join attempt
        on asked.environment = attempt.environment
        and asked.obligation_key = attempt.obligation_key
    group by asked.environment, asked.transaction_id

),

judged as (

    select
        asked.*,
        tally.attempts,
        case
            when tally.is_delivered then 'delivered'
            when tally.is_other_delivered then 'wrong_product'
            when tally.latest_status = 'failed' then 'failed'
            when not asked.is_configured then 'other_environment'
            when not asked.is_listed then 'not_listed'
            when asked.delivery not in ('server', 'on_demand') then 'not_ours'
            when books.begin_at is null or asked.purchased_at < books.begin_at then 'before_books'
            when asked.due_at > night.as_of then 'not_due'
            when tally.latest_status = 'pending' then 'pending'
            when asked.delivery = 'on_demand' then 'not_asked'
            when
                not exists (
                    select
                    from log_instant
                    where
                        log_instant.occurred_at >= asked.purchased_at
                        and log_instant.occurred_at <= asked.due_at
                )
                then 'no_records'
            else 'never_attempted'
        end as cause
    from asked
    cross join night
    cross join books
    inner join tally using (environment, transaction_id)

)

select
    judged.transaction_id,
    judged.environment,
    judged.product_id,
    case judged.cause
        when 'delivered' then 'DELIVERED'
        when 'wrong_product' then 'UNDELIVERED_WRONG_ITEM'
        when 'failed' then 'UNDELIVERED_SERVER_OUTAGE'
        when 'pending' then 'UNDELIVERED_OTHER'
        when 'never_attempted' then 'UNDELIVERED_OTHER'
    end as delivery_status,
    -- Apple wants 0 for what was not delivered, and refuses the member for auto-renewable subscriptions.
    case
        when
            judged.cause in ('wrong_product', 'failed', 'pending', 'never_attempted')
            and judged.product_type <> 'auto_renewable'
            then 0
    end as consumption_percentage,
    case judged.cause
        when 'delivered' then 'it was delivered'
        when 'wrong_product' then 'another product was delivered'
        when 'failed' then 'the latest attempt failed'
        when 'pending' then 'the latest attempt never ended'
        when 'never_attempted' then 'nobody tried, while the log has other deliveries of that time'
        when 'no_records' then 'the log has no delivery of anything in its time: it cannot be known'
        when 'not_due' then 'its delivery is not due yet, and none is known'
        when 'before_books' then 'it was bought before the books begin: it cannot be known'
        when 'not_asked' then 'it is fetched on demand, and nobody has asked for it'
        when 'not_ours' then 'the catalogue says that others deliver it: it cannot be known'
        when 'not_listed' then 'the catalogue does not list its product: it cannot be known'
        else 'its environment is not among the configured ones'
    end as because
from judged
order by length(judged.transaction_id), judged.transaction_id, judged.environment
