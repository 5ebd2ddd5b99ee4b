-- Returns one row: what reconciliation.xlsx says about the night.
--
-- The creation time in the file is as-of, so that the same night gives the same bytes. The sheet does not show the
-- first two columns.
select
    extract(epoch from night.as_of)::bigint as created,
    run.is_of_past_day,
    csv_instant(night.as_of) as as_of,
    'tieout ' || run.program_version as written_by,
    array_to_string(night.environments, ', ') as environments,
    night.time_zone,
    csv_instant(books.begin_at) as books_begin,
    night.revenue_since,
    night.assume_storefront,
    night.trust,
    run.settings ->> 'grace_hours' as grace_hours,
    (
        select string_agg(smallest.name || '=' || smallest.number, ', ' order by smallest.name collate "C")
        from jsonb_each_text(night.materiality) as smallest (name, number)
    ) as materiality
from night
inner join run on night.run_id = run.run_id
cross join books
