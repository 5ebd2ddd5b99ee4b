-- Returns one row: the night that is judged, with its as-of and its settings.
--
-- In psql this is the newest night that was done. `set tieout.run_id = '17'` selects the night of that run.
select
    run.run_id,
    run.as_of,
    run.as_of_on,
    run.settings ->> 'time_zone' as time_zone,
    array(
        select listed.environment
        from jsonb_array_elements_text(run.settings -> 'environments') as listed (environment)
    ) as environments,
    -- With `signed`, only evidence that Apple signed counts.
    coalesce(run.settings ->> 'trust', 'apple_response') as trust,
    (run.settings ->> 'books_begin')::timestamptz as books_begin,
    coalesce(
        (run.settings ->> 'revenue_since')::date,
        (date_trunc('month', run.as_of_on::timestamp) - interval '1 month')::date
    ) as revenue_since,
    make_interval(hours => (run.settings ->> 'grace_hours')::integer) as grace,
    (run.settings ->> 'restores_allowed')::bigint as restores_allowed,
    restore_window(run.settings) as restore_window,
    (run.settings ->> 'accounts_allowed')::bigint as accounts_allowed,
    make_interval(hours => (run.settings ->> 'stale_after')::integer) as stale_after,
    -- The causes of missing deliveries are those of what fell due in these days, in whole hours.
    utc_hour(run.as_of) - cause_days() * interval '24 hours'
        as causes_since,
    utc_hour(run.as_of) as causes_until,
    array(
        select listed.address
        from jsonb_array_elements_text(run.settings -> 'catalogue_urls') as listed (address)
    ) as catalogue_urls,
    run.settings ->> 'assume_storefront' as assume_storefront,
    -- From when a difference matters: units, and amounts by currency.
    coalesce(run.settings -> 'materiality', '{}') as materiality
from run
where
    run.run_id = coalesce(
        nullif(current_setting('tieout.run_id', true), '')::bigint,
        (select max(run_id) from run where outcome = 'done' and not is_of_past_day)
    )
