-- control_totals.csv: sums that must close. Dispositions add up to the transactions at as-of; of what
-- was read on the as-of day, read = new + already_known + rejected. The select list is the CSV header.
with

disposition as (

    select
        case
            when not member.is_configured then 'other_environment'
            when member.is_family_shared then 'family_shared'
            when not member.is_completed_purchase then 'restored'
            when member.is_trial or member.price = 0 then 'free'
            when
                member.product_type = 'auto_renewable'
                and member.transaction_id <> member.original_transaction_id
                then 'renewal'
            else 'purchase'
        end as measure,
        count(*) as value
    from member
    group by 1

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
            array['files', 'documents', 'transactions', 'deliveries', 'catalogue_entries']
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

)

select section, measure, value
from line
order by position
