-- Returns control_totals.csv: sums that can be checked.
--
-- The dispositions add up to the transactions at as-of. For the records that the runs of the as-of day read up to the
-- night's own, read = new + already_known + rejected. Of the obligations, due = delivered + missing + uncertain. The
-- select list is the CSV header.
--
-- Kind      night paper
-- Edition   no
-- Sheet     none
-- Rule      none
with

line as (

    select 'disposition' as section, named.measure, coalesce(carried_total.value, 0) as value, named.position
    from
        unnest(
            array['other_environment', 'family_shared', 'restored', 'free', 'renewal', 'purchase']
        ) with ordinality as named (measure, position)
    left join carried_total
        on carried_total.section = 'disposition' and named.measure = carried_total.measure
    union all
    select 'disposition', 'total', coalesce(sum(value), 0), 7
    from carried_total
    where section = 'disposition'
    union all
    select
        section.section,
        measure.measure,
        coalesce(
            (
                select sum(run_count.value)
                from run_count
                inner join run on run_count.run_id = run.run_id
                where
                    run_count.section = section.section
                    and run_count.measure = measure.measure
                    and is_run_of_day(run.as_of_on, run.run_id, run.outcome, night.as_of_on, night.run_id)
            ),
            0
        ),
        case section.section when 'acknowledgements' then 300 else 10 * section.position end + measure.position
    from night
    cross join unnest(array['files'] || record_sections()) with ordinality as section (section, position)
    cross join
        unnest(array['read', 'new', 'already_known', 'rejected'])
        with ordinality as measure (measure, position)
    union all
    select 'books', named.measure, coalesce(carried_total.value, 0), 100 + named.position
    from
        unnest(
            array['purchases_before_books_begin', 'deliveries_before_books_begin']
        ) with ordinality as named (measure, position)
    left join carried_total
        on carried_total.section = 'books' and named.measure = carried_total.measure
    union all
    select 'known_as', named.measure, coalesce(carried_total.value, 0), 200 + named.position
    from
        unnest(array['signed', 'apple_response', 'claimed']) with ordinality as named (measure, position)
    left join carried_total
        on carried_total.section = 'known_as' and named.measure = carried_total.measure
    union all
    select section, measure, value, 400 + position
    from compared
    union all
    select 'judged', named.measure, coalesce(run_count.value, 0), 500 + named.position
    from night
    cross join unnest(array['matched', 'by_rules', 'sampled_chains']) with ordinality as named (measure, position)
    left join run_count
        on night.run_id = run_count.run_id
        and run_count.section = 'judged'
        and named.measure = run_count.measure

)

select section, measure, value
from line
order by position
