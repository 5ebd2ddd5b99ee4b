-- Returns the facts about a product, a server or an error of the delivery log: what is missing, since when, of whom,
-- and what was healthy at the same time. Uncertain deliveries are only counted.
--
-- It reads sums of what became due (cause_days), not the history.
--
-- Takes  tieout.explained_as: product, server or error; tieout.explained_name; uncertain_words
--        (explain_uncertain_words.sql)
-- Gives  section_place, section: sentence, where, who, healthy, finding, example; property: each in the section where
--        is a list of its own; place: its order; length: how many of it are shown; name, words,
--        missing, delivered, at, file, line
with

asked as (

    select
        current_setting('tieout.explained_as') as kind,
        current_setting('tieout.explained_name') collate "C" as name,
        causes_until
    from night

),

lost as (

    select
        missing.*,
        error_kind(missing.last_error) as error,
        coalesce(missing.last_attempt_at, missing.purchased_at) as at,
        utc_hour(coalesce(missing.last_attempt_at, missing.purchased_at)) as hour
    from carried_missing_delivery as missing
    where missing.reason <> 'no_records'

),

missing as (

    select lost.*
    from lost
    cross join asked
    where
        asked.name = case asked.kind when 'product' then product_id when 'server' then server else error end
        -- A text that is a single word with a digit; its kind is #.
        or (asked.kind = 'error' and asked.name = last_error)

),

bad_hour as (

    select distinct hour from missing

),

served as (

    select
        served.*,
        coalesce(
            served.due_hour < asked.causes_until
            and asked.name = case asked.kind when 'product' then product_id when 'server' then server else error end,
            false
        ) as is_asked,
        served.attempt_hour in (select hour from bad_hour) as is_bad_hour
    from carried_served as served
    cross join asked

),

total as (

    select
        (select count(*) from missing) as missing,
        (select deliveries from uncertain_words) as uncertain,
        (select words from uncertain_words) as uncertain_words,
        (select count(distinct account_id) from missing) as accounts,
        (select min(at) from missing) as begins_at,
        (select max(at) from missing) as ends_at,
        coalesce((select sum(deliveries) from served where is_asked), 0) as delivered

),

-- What the missing deliveries most often have in common.
placed as (

    select
        named.place,
        named.dimension,
        named.name,
        count(*) as missing,
        min(missing.at) as at,
        row_number() over (partition by named.place order by count(*) desc, named.name) as number
    from missing
    cross join asked
    cross join lateral (
        values
        (1, 'server', missing.server),
        (2, 'error', missing.error),
        (3, 'product', missing.product_id),
        (4, 'day', to_char(missing.at at time zone 'UTC', 'YYYY-MM-DD') collate "C"),
        (5, 'hour', to_char(missing.at at time zone 'UTC', 'HH24:00') collate "C"),
        (6, 'region', missing.region),
        (7, 'app version', missing.app_version)
    ) as named (place, dimension, name)
    where named.name is not null and named.dimension <> asked.kind
    group by named.place, named.dimension, named.name

),

-- What was delivered in the hours of these attempts, and what was missing there beside them.
beside as (

    select
        named.place,
        named.dimension,
        named.name,
        sum(one.delivered) as delivered,
        sum(one.missing) as missing
    from (
        select server, product_id, deliveries as delivered, 0 as missing
        from served
        where is_bad_hour
        union all
        select lost.server, lost.product_id, 0, 1
        from lost
        where lost.hour in (select hour from bad_hour)
    ) as one
    cross join asked
    cross join lateral (
        values (1, 'server', one.server), (2, 'product', one.product_id)
    ) as named (place, dimension, name)
    where named.name <> '' and not (named.dimension = asked.kind and named.name = asked.name)
    group by named.place, named.dimension, named.name

),

fact as (

    select
        1 as section_place,
        'sentence' as section,
        null as property,
        1::bigint as place,
        asked.name,
        concat_ws(
            ' ',
            concat(
                case
                    when total.missing = 0 then format(
                        'No delivery %s is missing',
                        case asked.kind
                            when 'product' then 'of ' || asked.name
                            when 'server' then 'whose latest attempt was made by ' || asked.name
                            else 'whose latest attempt has the error “' || asked.name || '”'
                        end
                    )
                    else format(
                        case asked.kind
                            when 'product' then '%s of %3$s %2$s missing%6$s. %4$s if nothing was attempted, %2$s %5$s'
                            when 'server' then '%s %s missing, with the latest attempt by %s %5$s%s'
                            else '%s %s missing, with the error “%s”, attempted %5$s%s'
                        end,
                        case total.missing when 1 then '1 delivery' else total.missing || ' deliveries' end,
                        case total.missing when 1 then 'is' else 'are' end,
                        asked.name,
                        case total.missing
                            when 1 then 'Its latest attempt, or its purchase'
                            else 'Their latest attempts, or their purchases'
                        end,
                        case
                            when total.begins_at = total.ends_at then 'on ' || csv_instant(total.begins_at)
                            else format('from %s to %s', csv_instant(total.begins_at), csv_instant(total.ends_at))
                        end,
                        case
                            when total.accounts = 1 then ', of 1 account'
                            when total.accounts > 1 then format(', of %s accounts', total.accounts)
                        end
                    )
                end,
                '.'
            ),
            case
                -- Deliveries that were made are known by the kind of their error only.
                when asked.kind = 'error' and (total.delivered = 0 or asked.name <> error_kind(asked.name)) then null
                when asked.kind = 'error' then format(
                    '%s that became due in the %s days before as-of %s made although an attempt had this error.',
                    case total.delivered when 1 then '1 delivery' else total.delivered || ' deliveries' end,
                    cause_days(),
                    case total.delivered when 1 then 'was' else 'were' end
                )
                when total.missing + total.uncertain + total.delivered = 0
                    then format('None became due in the %s days before as-of.', cause_days())
                else format(
                    'Of its deliveries that became due in the %s days before as-of, %s %s made.',
                    cause_days(),
                    total.delivered,
                    case total.delivered when 1 then 'was' else 'were' end
                )
            end,
            total.uncertain_words,
            'The closest identifier of the catalogue is ' || closest.closest_product_id || '.'
        ) as words,
        total.missing,
        total.delivered::bigint as delivered,
        total.begins_at as at
    from total
    cross join asked
    left join carried_closest as closest on asked.kind = 'product' and asked.name = closest.product_id
    union all
    select 2, 'finding', null, finding.finding_id, finding.name,
        finding_words(finding.level, finding.rule, finding.subject, finding.first_flagged_on, finding.detail),
        null, null, null
    from finding
    cross join asked
    where
        finding.status <> 'resolved'
        and finding.environment = ''
        and asked.name = case asked.kind
            when 'product' then (finding.key).product_id
            when 'server' then (finding.key).server
        end
    union all
    select 3, 'where', dimension, row_number() over (order by place, number), dimension || ' ' || name, null, missing,
        null, at
    from placed
    union all
    select 4, 'who', null, row_number() over (order by count(*) desc, account_id), account_id, null, count(*), null,
        min(at)
    from missing
    where account_id is not null
    group by account_id
    union all
    select 6, 'healthy', null, row_number() over (order by place, delivered desc, name), dimension || ' ' || name,
        null, missing, delivered::bigint, null
    from beside
    union all
    select 7, 'example', null, row_number() over (order by purchased_at, identifier_order(transaction_id)),
        transaction_id, concat_ws(', ', reason, product_id, server, last_error), null, null, purchased_at
    from missing

)

select
    fact.section_place,
    fact.section,
    fact.property,
    fact.place,
    case when fact.section in ('where', 'example') then 3 else 6 end as length,
    fact.name,
    fact.words,
    fact.missing,
    fact.delivered,
    fact.at,
    null as file,
    null::bigint as line
from fact
