-- Returns one row for each number that says how much of the night was compared: the obligations by what became of them,
-- the units without an amount, and what could not be used. The reports, the page, the summary and the metrics all show
-- these rows.
--
-- Of the section `obligation`, due = delivered + missing + uncertain. The other measures were not compared.
--
-- The files that could not be read are those of judge_unread_file.sql.
--
-- Gives  section, measure, value, position
with

-- Many obligations are not due yet, each with a due date of its own, so they are summed first.
obligation_total as (

    select
        measure,
        sum(value) as value
    from (
        select
            case when carried_total.due_at > night.as_of then 'not_due' else carried_total.measure end
                as measure,
            carried_total.value
        from carried_total
        cross join night
        where carried_total.section = 'obligation'
        union all
        select
            case when reason = 'no_records' then 'uncertain' else 'missing' end,
            1
        from carried_missing_delivery
    ) as counted
    group by measure

),

obligation_count as (

    select
        named.measure,
        named.position,
        coalesce(
            sum(obligation_total.value) filter (
                where
                obligation_total.measure = named.measure
                or named.measure = 'due' and obligation_total.measure in ('delivered', 'undelivered')
            ),
            0
        ) as value
    from
        unnest(
            array[
                'due', 'delivered', 'missing', 'uncertain', 'before_books', 'not_due', 'refunded',
                'not_listed', 'other_delivery', 'on_demand'
            ]
        ) with ordinality as named (measure, position)
    left join obligation_total on true
    group by named.measure, named.position

)

select
    'obligation' as section,
    measure,
    value,
    position
from obligation_count
union all
select
    'units',
    'without_amount',
    coalesce((select sum(units_sold) from carried_revenue where price_source = 'none'), 0),
    11
union all
select
    'unread',
    'files',
    (select count(*) from unread_file),
    12
union all
select
    'unread',
    'records',
    coalesce(sum(run_count.value), 0),
    13
from night
left join run on is_run_of_day(run.as_of_on, run.run_id, run.outcome, night.as_of_on, night.run_id)
left join run_count
    on run.run_id = run_count.run_id
    and run_count.section = any(record_sections())
    and run_count.measure = 'rejected'
