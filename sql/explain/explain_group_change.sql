-- Returns what changed about a product or a server: the product's entries in catalogues, and the silence, the first and
-- the last hour of the server's log.
--
-- Takes  tieout.explained_as: product, server or error; tieout.explained_name
-- Gives  the columns of explain_group.sql; section: changed, the newest first
with

asked as (

    select
        current_setting('tieout.explained_as') as kind,
        current_setting('tieout.explained_name') collate "C" as name

),

fact as (

    select
        row_number() over (
            order by run.as_of desc, entry.member, entry.price_from desc, entry.currency, entry.storefront, entry.value
        ) as place,
        fact_words(entry.member, entry.currency, entry.storefront, entry.price_from) as name,
        nullif(entry.value, '') as words,
        run.as_of as at,
        input_file.path as file,
        entry.line
    from asked
    inner join catalogue_fact as entry on asked.kind = 'product' and asked.name = entry.product_id
    inner join input_file using (file_id)
    inner join run using (run_id)
    union all
    select
        row_number() over (order by silence.begins_at desc),
        'silent',
        'no delivery logged until ' || csv_instant(silence.ends_at),
        silence.begins_at,
        null,
        null
    from asked
    cross join lateral (
        select
            min(hour) as begins_at,
            max(hour) + interval '1 hour' as ends_at
        from (
            select
                hour,
                hour - row_number() over (order by hour) * interval '1 hour' as stretch
            from carried_silent_hour
            where carried_silent_hour.server = asked.name
        ) as numbered
        group by stretch
    ) as silence
    where asked.kind = 'server'
    union all
    -- After the newest silence.
    select
        2,
        edge.name,
        null,
        edge.at,
        null,
        null
    from asked
    cross join lateral (
        select
            min(hour) as first_hour,
            max(hour) as last_hour
        from carried_source_hour
        where carried_source_hour.server = asked.name
    ) as log
    cross join lateral (
        values ('first hour in the log', log.first_hour), ('last hour in the log', log.last_hour)
    ) as edge (name, at)
    where asked.kind = 'server' and edge.at is not null

)

select
    1 as section_place,
    'changed' as section,
    null as property,
    place,
    12 as length,
    name,
    words,
    null::bigint as missing,
    null::bigint as delivered,
    at,
    file,
    line
from fact
