-- Returns for each explained transaction the deliveryStatus for Apple's consumption request that evidence supports.
--
-- Environments that are not configured have none, nor has a delivery that may have been made in silence. A failed
-- attempt has one: an outage if its server's records show one.
--
-- Takes  explained_name (explain_seed.sql).
-- Gives  transaction_id, environment, product_id, delivery_status or null, consumption_percentage, because
with

asked as (

    -- An obligation counts from its first purchase, a transaction without one from its own.
    select
        member.environment,
        member.transaction_id,
        member.obligation_key,
        member.product_id,
        member.product_type,
        member.is_configured,
        member.is_listed,
        product.delivery,
        coalesce(obligation.purchased_at, member.purchased_at) as purchased_at,
        coalesce(obligation.due_at, member.purchased_at + coalesce(product.grace, night.grace)) as due_at,
        unheard.obligation_key is not null as is_unheard,
        family.is_completed is not true as is_unowed,
        member.original_transaction_id
    from explained_name
    cross join night
    inner join member on explained_name.name = member.transaction_id
    left join product on member.product_id = product.product_id
    left join family on member.environment = family.environment and member.family_key = family.family_key
    left join obligation
        on member.environment = obligation.environment and member.obligation_key = obligation.obligation_key
    left join unheard
        on member.environment = unheard.environment and member.obligation_key = unheard.obligation_key
    where not member.is_claimed

),

attempted as (

    -- A cluster cannot sort by a composite value at the top of a common table expression.
    select *
    from (
        select
            asked.environment,
            asked.transaction_id,
            attempt.delivery_id,
            attempt.status,
            attempt.occurred_at,
            attempt.server,
            min(attempt.delivery_id) filter (
                where attempt.status = 'delivered' and attempt.product_id = asked.product_id
            ) over all_of as served_by,
            min(attempt.delivery_id) filter (where attempt.status = 'delivered') over all_of as other_served_by,
            row_number() over (
                partition by asked.environment, asked.transaction_id
                order by latest_first(attempt.occurred_at, attempt.status, attempt.delivery_id)
            ) as latest
        from asked
        inner join attempt
            on asked.environment = attempt.environment
            and asked.obligation_key = attempt.obligation_key
        window all_of as (partition by asked.environment, asked.transaction_id)
    ) as ranked

),

-- An attempt that had not ended when its server became silent may have ended. A failed one shows an outage.
silenced as (

    select
        attempted.environment,
        attempted.transaction_id,
        min(silence.begins_at) as begins_at,
        max(silence.ends_at) as ends_at
    from attempted
    inner join asked using (environment, transaction_id)
    inner join silence
        on attempted.server = silence.server
        and attempted.occurred_at < silence.ends_at
        and asked.due_at >= silence.begins_at
    where attempted.latest = 1 and attempted.status in ('pending', 'failed')
    group by attempted.environment, attempted.transaction_id

),

-- The accounts for which the server of a failed attempt failed in the same hour, in the configured environments.
near_failure as (

    select
        attempted.environment,
        attempted.transaction_id,
        record.account_id,
        record.delivery_id,
        record.content_hash
    from attempted
    cross join night
    inner join tieout.delivery_record as record
        on attempted.server = record.server
        and record.occurred_at >= utc_hour(attempted.occurred_at)
        and record.occurred_at < utc_hour(attempted.occurred_at) + interval '1 hour'
    where
        attempted.latest = 1
        and attempted.status = 'failed'
        and record.status = 'failed'
        and record.account_id is not null
        and record.occurred_at <= night.as_of
        and own_environment(record.environment, false) = any(night.environments)

),

-- A record counts only if no other record of its delivery applies instead, such as a later one that is delivered.
standing as (

    select *
    from (
        select distinct on (record.delivery_id)
            record.delivery_id,
            record.content_hash
        from (select distinct delivery_id from near_failure) as failed
        cross join night
        inner join tieout.delivery_record as record on failed.delivery_id = record.delivery_id
        where record.occurred_at <= night.as_of
        order by
            record.delivery_id,
            standing_first(
                record.revision,
                record.occurred_at,
                record.status,
                record.transaction_id,
                record.product_id,
                record.environment,
                record.original_transaction_id,
                record.web_order_line_item_id,
                record.account_id,
                record.device_id,
                record.server,
                record.region,
                record.app_version,
                record.error,
                record.bytes
            )
    ) as ranked

),

failing as (

    select
        environment,
        transaction_id,
        count(distinct account_id) as accounts,
        min(delivery_id) as first_delivery_id, max(delivery_id) as last_delivery_id
    from near_failure
    inner join standing using (delivery_id, content_hash)
    group by environment, transaction_id
    having count(distinct account_id) >= 3

),

judged as (

    select
        asked.*,
        latest.delivery_id,
        latest.server,
        latest.occurred_at,
        latest.served_by,
        latest.other_served_by,
        silenced.begins_at,
        silenced.ends_at,
        failing.accounts,
        failing.first_delivery_id,
        failing.last_delivery_id,
        case
            when not asked.is_configured then 'other_environment'
            when latest.served_by is not null then 'delivered'
            when latest.other_served_by is not null then 'wrong_product'
            when latest.status = 'failed' and failing.accounts is not null then 'failing'
            when latest.status = 'failed' and silenced.begins_at is not null then 'fell_silent'
            when latest.status = 'failed' then 'failed'
            when not asked.is_listed then 'not_listed'
            when not is_our_delivery(asked.delivery) then 'not_ours'
            when asked.is_unowed then 'no_purchase'
            when books.begin_at is null or asked.purchased_at < books.begin_at then 'before_books'
            when asked.due_at > night.as_of then 'not_due'
            when silenced.transaction_id is not null then 'unended'
            when latest.status = 'pending' then 'pending'
            when asked.delivery = 'on_demand' then 'not_asked'
            when
                not exists (
                    select 1
                    from log_hour
                    where
                        hour between asked.purchased_at - interval '1 hour' and asked.due_at
                        and is_logged(hour, seconds, asked.purchased_at, asked.due_at)
                )
                then 'no_records'
            when asked.is_unheard then 'unheard'
            else 'never_attempted'
        end as cause
    from asked
    cross join night
    cross join books
    left join attempted as latest
        on asked.environment = latest.environment
        and asked.transaction_id = latest.transaction_id
        and latest.latest = 1
    left join silenced
        on asked.environment = silenced.environment and asked.transaction_id = silenced.transaction_id
    left join failing
        on asked.environment = failing.environment and asked.transaction_id = failing.transaction_id

)

select
    transaction_id,
    environment,
    product_id,
    case cause
        when 'delivered' then 'DELIVERED'
        when 'wrong_product' then 'UNDELIVERED_WRONG_ITEM'
        when 'failing' then 'UNDELIVERED_SERVER_OUTAGE'
        when 'fell_silent' then 'UNDELIVERED_SERVER_OUTAGE'
        when 'failed' then 'UNDELIVERED_OTHER'
        when 'pending' then 'UNDELIVERED_OTHER'
        when 'never_attempted' then 'UNDELIVERED_OTHER'
    end as delivery_status,
    -- Apple expects 0 for a product that was not delivered, and refuses the member for auto-renewable subscriptions.
    case
        when
            cause in (
                'wrong_product', 'failing', 'fell_silent', 'failed', 'pending', 'never_attempted'
            )
            and product_type <> 'auto_renewable'
            then 0
    end as consumption_percentage,
    case cause
        when 'delivered' then format('it was delivered (delivery %s)', served_by)
        when 'wrong_product' then format('another product was delivered (delivery %s)', other_served_by)
        when 'failing'
            then format(
                'the latest attempt (delivery %s) failed, and in that hour %s failed for %s accounts (%s to %s)',
                delivery_id,
                server,
                accounts,
                first_delivery_id,
                last_delivery_id
            )
        when 'fell_silent'
            then format(
                'the latest attempt (delivery %s) failed, and %s was silent at times from %s to %s',
                delivery_id,
                server,
                csv_instant(begins_at),
                csv_instant(ends_at)
            )
        when 'failed'
            then format(
                'the latest attempt (delivery %s) failed, and no other record of its server shows an outage',
                delivery_id
            )
        when 'pending' then format('the latest attempt (delivery %s) never ended', delivery_id)
        when 'never_attempted' then 'no attempt was made, but the log has other deliveries of that time'
        when 'no_records' then 'the log has no delivery of anything in its time: its delivery is uncertain'
        when 'unheard'
            then 'the log of every server that served its product is silent in its time: its delivery is uncertain'
        when 'unended'
            then 'the latest attempt had not ended when the log of its server fell silent: its delivery is uncertain'
        when 'not_due' then 'its delivery is not due yet, and none is known'
        when 'before_books' then 'it was bought before the books begin: its delivery is uncertain'
        when 'not_asked' then 'it is fetched on demand, and was not requested'
        when 'no_purchase'
            then format(
                'only restores of %s are known, never the purchase itself: nothing is owed', original_transaction_id
            )
        when 'not_ours' then 'the catalogue says that others deliver it: its delivery is uncertain'
        when 'not_listed' then 'the catalogue does not list its product: its delivery is uncertain'
        else format('%s is not among the configured environments: it is not compared', environment)
    end as because
from judged
union all
-- Bought after as-of: loaded, but not considered yet.
select
    later.transaction_id,
    later.environment,
    later.product_id,
    null,
    null,
    format('it was bought on %s, after as-of: it is not compared yet', csv_instant(later.first_purchased_at))
from explained_name
cross join night
inner join store_transaction as later on explained_name.name = later.transaction_id
where
    later.first_purchased_at > night.as_of
    and not exists (
        select
        from member
        where member.environment = later.environment and member.transaction_id = later.transaction_id
    )
order by transaction_id, environment
