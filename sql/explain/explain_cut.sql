-- Returns the facts of an overview with each list cut at its length, and a row behind each list that was cut: how many
-- facts it leaves out.
--
-- Takes  overview_fact (explain_group.sql and others).
-- Gives  section, name, words, missing, delivered, at, file, line; left_out: null for a fact. In a row about the facts
--        that are left out name is the property, and missing and delivered are sums.
with

listed as (

    select
        overview_fact.*,
        row_number() over (partition by section_place, property order by place, name, at) as number
    from overview_fact

),

overview_row as (

    select
        section_place,
        section,
        place,
        number,
        name,
        words,
        missing,
        delivered,
        at,
        file,
        line,
        null::bigint as left_out
    from listed
    where number <= length
    union all
    select
        section_place,
        section,
        max(place),
        max(number),
        property,
        null,
        sum(missing)::bigint,
        sum(delivered)::bigint,
        null,
        null,
        null,
        count(*)
    from listed
    where number > length
    group by section_place, section, property

)

select
    section,
    name,
    words,
    missing,
    delivered,
    csv_instant(at) as at,
    file,
    line,
    left_out
from overview_row
order by section_place, place, number
