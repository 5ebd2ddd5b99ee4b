-- Returns the attempts of a server, or with an error, that did not end in a delivery, and whose missing delivery
-- explain_group.sql does not count: how many there were in the days before as-of (cause_days), the open findings about
-- unfinished deliveries, and the newest of them.
--
-- An attempt counts although its delivery is not due, another attempt delivered it, or a later attempt of its missing
-- delivery was made by another server or had another error. Of several records of a delivery the one that stands at
-- as-of counts. The files of these days are read.
--
-- Takes  tieout.explained_as: server or error; tieout.explained_name
-- Gives  the columns of explain_group.sql; the sections are sentence, finding and attempt
with

asked as (

    select
        given.kind,
        given.name,
        night.as_of,
        night.causes_since as since,
        first_file_since(night.causes_since) as first_file_id
    from (
        select
            current_setting('tieout.explained_as') as kind,
            current_setting('tieout.explained_name') collate "C" as name
    ) as given
    cross join night

),

logged as materialized (

    select
        delivery_record.delivery_id,
        delivery_record.transaction_number,
        delivery_record.transaction_id,
        delivery_record.product_id,
        delivery_record.account_id,
        delivery_record.environment,
        delivery_record.status,
        delivery_record.occurred_at,
        delivery_record.server,
        delivery_record.error,
        delivery_record.file_id,
        delivery_record.line
    from asked
    inner join delivery_record
        on asked.first_file_id <= delivery_record.file_id
        and asked.since <= delivery_record.occurred_at
        and asked.as_of >= delivery_record.occurred_at
    where
        delivery_record.status <> 'delivered'
        and (
            asked.name = case asked.kind
                when 'server' then delivery_record.server
                else error_kind(delivery_record.error)
            end
            -- A single word with a digit; its kind is #.
            or (asked.kind = 'error' and asked.name = delivery_record.error)
        )

),

-- All records of these deliveries. A cluster cannot sort by a composite value while it reads them.
record as materialized (

    select entry.*
    from (select distinct delivery_id from logged) as named
    inner join delivery_record as entry on named.delivery_id = entry.delivery_id
    cross join asked
    where entry.occurred_at <= asked.as_of

),

-- The record of each delivery that stands, as in judge_delivery.sql: its status and instant.
standing as (

    select
        delivery_id,
        (
            array_agg(
                status || ' ' || csv_instant(occurred_at)
                order by standing_first(
                    revision,
                    occurred_at,
                    status,
                    transaction_id,
                    product_id,
                    environment,
                    original_transaction_id,
                    web_order_line_item_id,
                    account_id,
                    device_id,
                    server,
                    region,
                    app_version,
                    error,
                    bytes
                )
            )
        )[1] as words
    from record
    group by delivery_id

),

-- Their transactions.
known as materialized (

    select
        environment,
        transaction_number,
        original_number,
        original_transaction_id,
        product_number,
        product_type,
        expires_at,
        line_item_number,
        first_purchased_at,
        first_original_purchased_at
    from (select distinct transaction_number from logged) as named
    inner join store_transaction using (transaction_number)

),

-- The ids that only a sandbox transaction has by as-of (own_environment).
sandbox_only as (

    select known.transaction_number
    from known
    cross join asked
    left join product on known.product_number = product.product_number
    where
        purchase_date(
            known.transaction_number = known.original_number,
            coalesce(product.type, known.product_type),
            known.expires_at,
            known.line_item_number,
            known.first_purchased_at,
            known.first_original_purchased_at
        ) <= asked.as_of
    group by known.transaction_number
    having bool_and(known.environment = 'Sandbox')

),

-- The missing deliveries that explain_group.sql counts: whose latest attempt has the server or error.
counted as materialized (

    select
        missing.product_id,
        missing.transaction_id,
        missing.original_transaction_id
    from asked
    inner join carried_missing_delivery as missing
        on case asked.kind
            when 'server' then asked.name = missing.server
            else asked.name in (missing.last_error, error_kind(missing.last_error))
        end
    where missing.reason <> 'no_records'

),

open_attempt as materialized (

    select logged.*
    from logged
    inner join standing
        on logged.delivery_id = standing.delivery_id
        and logged.status || ' ' || csv_instant(logged.occurred_at) = standing.words
    cross join night
    left join sandbox_only on logged.transaction_number = sandbox_only.transaction_number
    where
        own_environment(logged.environment, sandbox_only.transaction_number is not null)
        = any(night.environments)
        and not exists (
            select
            from counted
            where
                counted.product_id = logged.product_id
                and (
                    counted.transaction_id = logged.transaction_id
                    or counted.original_transaction_id in (
                        select known.original_transaction_id
                        from known
                        where known.transaction_number = logged.transaction_number
                    )
                )
        )

),

unfinished as materialized (

    select
        finding.finding_id,
        finding.name,
        finding.level,
        finding.rule,
        finding.subject,
        finding.first_flagged_on,
        finding.detail,
        (finding.key).device_id,
        -- The workers of a cluster cannot look up the number of an identifier.
        identifier_number((finding.key).transaction_id) as transaction_number
    from finding
    where finding.rule = 'unfinished_delivery' and finding.status <> 'resolved'

),

unfinished_record as materialized (

    select
        unfinished.*,
        delivery_record.delivery_id,
        delivery_record.status,
        delivery_record.occurred_at,
        delivery_record.server,
        case delivery_record.error when asked.name then asked.name else error_kind(delivery_record.error) end as error
    from unfinished
    inner join delivery_record
        on unfinished.transaction_number = delivery_record.transaction_number
        and unfinished.device_id is not distinct from delivery_record.device_id
    cross join asked
    where delivery_record.occurred_at <= asked.as_of

),

-- The latest attempt of the device.
unfinished_attempt as (

    select
        finding_id,
        name,
        level,
        rule,
        subject,
        first_flagged_on,
        detail,
        (array_agg(server order by latest_first(occurred_at, status, delivery_id)))[1] as server,
        (array_agg(error order by latest_first(occurred_at, status, delivery_id)))[1] as error
    from unfinished_record
    group by finding_id, name, level, rule, subject, first_flagged_on, detail

),

fact as (

    select
        1 as section_place,
        'sentence' as section,
        1::bigint as place,
        asked.name,
        format(
            '%s failed or did not end in the %s days before as-of, for %s.',
            case total.attempts when 1 then '1 other attempt' else total.attempts || ' other attempts' end,
            cause_days(),
            case total.transactions when 1 then '1 transaction' else total.transactions || ' transactions' end
        ) as words,
        null::timestamptz as at,
        null::integer as file_id,
        null::bigint as line
    from asked
    cross join (
        select
            count(distinct open_attempt.delivery_id) as attempts,
            count(distinct open_attempt.transaction_number) as transactions
        from open_attempt
    ) as total
    where total.attempts > 0
    union all
    select
        2,
        'finding',
        unfinished_attempt.finding_id,
        unfinished_attempt.name,
        format(
            '%s %s %s, since %s%s',
            unfinished_attempt.level,
            unfinished_attempt.rule,
            unfinished_attempt.subject,
            unfinished_attempt.first_flagged_on,
            coalesce(': ' || nullif(unfinished_attempt.detail, ''), '')
        ),
        null,
        null,
        null
    from unfinished_attempt
    cross join asked
    where asked.name = case asked.kind when 'server' then unfinished_attempt.server else unfinished_attempt.error end
    union all
    select
        3,
        'attempt',
        row_number() over (order by open_attempt.occurred_at desc, open_attempt.delivery_id),
        open_attempt.transaction_id,
        concat_ws(
            ', ',
            'delivery ' || open_attempt.delivery_id || ' ' || open_attempt.status,
            open_attempt.product_id,
            'account ' || open_attempt.account_id,
            open_attempt.server,
            open_attempt.error
        ),
        open_attempt.occurred_at,
        open_attempt.file_id,
        open_attempt.line
    from open_attempt

)

select
    fact.section_place,
    fact.section,
    null as property,
    fact.place,
    6 as length,
    fact.name,
    fact.words,
    null::bigint as missing,
    null::bigint as delivered,
    fact.at,
    input_file.path as file,
    fact.line
from fact
left join input_file using (file_id)
