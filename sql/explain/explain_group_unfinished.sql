-- Returns the findings about unfinished deliveries that are not resolved and whose latest attempt was made by a server,
-- or had an error.
--
-- Takes  tieout.explained_as: server or error; tieout.explained_name
-- Gives  the columns of explain_group.sql; the section is finding
with

asked as (

    select
        given.kind,
        given.name,
        night.as_of
    from (
        select
            current_setting('tieout.explained_as') as kind,
            current_setting('tieout.explained_name') collate "C" as name
    ) as given
    cross join night

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

)

select
    1 as section_place,
    'finding' as section,
    null as property,
    unfinished_attempt.finding_id as place,
    6 as length,
    unfinished_attempt.name,
    finding_words(
        unfinished_attempt.level,
        unfinished_attempt.rule,
        unfinished_attempt.subject,
        unfinished_attempt.first_flagged_on,
        unfinished_attempt.detail
    ) as words,
    null::bigint as missing,
    null::bigint as delivered,
    null::timestamptz as at,
    null as file,
    null::bigint as line
from unfinished_attempt
cross join asked
where asked.name = case asked.kind when 'server' then unfinished_attempt.server else unfinished_attempt.error end
