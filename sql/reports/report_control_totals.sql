-- control_totals.csv: sums that must close. Dispositions add up to the transactions at as-of; of what
-- was read on the as-of day, read = new + already_known + rejected. The select list is the CSV header.
with

disposition as (

    select
        disposition as measure,
        count(*) as value
    from member
    group by disposition

),

line as (

    select
        'disposition' as section,
        named.measure,
        coalesce(disposition.value, 0) as value,
        named.position
    from
        unnest(
            array['other_environment', 'family_shared', 'restored', 'free', 'renewal', 'purchase']
        ) with ordinality as named (measure, position)
    left join disposition on named.measure = disposition.measure
    union all
    select 'disposition', 'total', (select count(*) from member), 7
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
                    and run.as_of_on = night.as_of_on
                    and run.outcome in ('done', 'running')
            ),
            0
        ),
        10 * section.position + measure.position
    from night
    cross join
        unnest(
            array[
                'files', 'documents', 'transactions', 'deliveries', 'catalogue_entries',
                'client_records'
            ]
        ) with ordinality as section (section, position)
    cross join
        unnest(array['read', 'new', 'already_known', 'rejected'])
        with ordinality as measure (measure, position)
    union all
    select
        'books',
        'purchases_before_books_begin',
        (
            select count(*)
            from family
            cross join books
            where
                family.is_configured
                and family.is_completed
                and family.purchased_at < books.begin_at
        ),
        101
    union all
    select
        'books',
        'deliveries_before_books_begin',
        (
            select count(*)
            from attempt
            cross join books
            where attempt.is_configured and attempt.occurred_at < books.begin_at
        ),
        102
    union all
    select
        'known_as',
        named.measure,
        coalesce(known.value, 0),
        200 + named.position
    from
        unnest(array['signed', 'apple_response', 'claimed']) with ordinality as named (measure, position)
    left join (select trust, count(*) as value from member group by trust) as known
        on named.measure = known.trust

)

select section, measure, value
from line
order by position
