-- Returns one row for each of the newest 800 days that have a run, the newest first: how its night ended, what it
-- found, and the state of the books of its month; and one row for each closed month without a run.
--
-- The counts are those at the end of the day's last night.
--
-- Gives  state: done; uncounted (done only by a run of a past day); absent (a month without a run: it has no day);
--        otherwise the outcome of the last run: failed, killed, rejected or stopped;
--        due: missing if the night did not count obligations;
--        edition: the one that has these counts, missing while the run is not published;
--        skipped: the number of days before it that have no run, up to the night before;
--        books_kind: open, prepared, certified or withdrawn;
--        books: who closed and approved the month, how it has changed since then or since it was published, and the
--        days that Apple has not reported
with

day as (

    select run.as_of_on
    from run
    cross join night
    where
        (run.outcome <> 'running' or run.run_id = night.run_id)
        -- A run in the future that is marked as a run of a past day is no night (run_ignore_future.sql).
        and run.as_of_on <= (select max(known.as_of_on) from run as known where not known.is_of_past_day)
    group by run.as_of_on
    order by run.as_of_on desc
    limit 800

),

attempted as (

    -- The last night that was done, or else the last run of the past day that was done, or else the last run.
    select distinct on (run.as_of_on)
        run.as_of_on,
        run.run_id,
        run.edition,
        case when run.run_id = night.run_id then 'done' else run.outcome end as outcome
    from day
    cross join night
    inner join run on day.as_of_on = run.as_of_on
    where run.outcome <> 'running' or run.run_id = night.run_id
    order by
        run.as_of_on,
        (run.outcome = 'done' or run.run_id = night.run_id) desc,
        run.is_of_past_day,
        run.run_id desc

),

counted as (

    select
        attempted.run_id,
        sum(run_count.value) filter (
            where run_count.section = 'obligation' and run_count.measure = 'missing'
        ) as missing,
        sum(run_count.value) filter (
            where run_count.section = 'obligation' and run_count.measure = 'uncertain'
        ) as uncertain,
        sum(run_count.value) filter (
            where run_count.section = 'obligation' and run_count.measure = 'due'
        ) as due,
        sum(run_count.value) filter (
            where run_count.section = 'unread' and run_count.measure = 'files'
        ) as unread_files,
        sum(run_count.value) filter (
            where run_count.section = 'open_error' and run_count.measure = 'stale_feed'
        ) as stale_feeds,
        sum(run_count.value) filter (where run_count.section = 'open_error') as errors,
        sum(run_count.value) filter (where run_count.section = 'open_warning') as warnings,
        sum(run_count.value) filter (where run_count.section = 'open_info') as infos,
        count(*) filter (where run_count.section = 'standing' and run_count.measure = 'transactions') > 0
            as is_counted
    from attempted
    inner join run_count on attempted.run_id = run_count.run_id
    where
        run_count.section in ('standing', 'open_error', 'open_warning', 'open_info', 'obligation', 'unread')
    group by attempted.run_id

),

-- The part of each month that a closed period covers. A month can be closed in parts.
part as (

    select
        whole.month::date as month,
        greatest(period_closing.first_day, whole.month::date) as first_day,
        least(period_closing.last_day, (whole.month + interval '1 month')::date - 1) as last_day,
        period_closing.prepared_by,
        period_state.approved_by,
        period_state.is_single_signer,
        period_state.state,
        period_state.run_id
    from period_closing
    inner join period_state on period_closing.closing_id = period_state.closing_id
    cross join lateral generate_series(
        date_trunc('month', period_closing.first_day::timestamp), period_closing.last_day::timestamp, interval '1 month'
    ) as whole (month)
    where period_closing.reopened_at is null

),

closing as (

    select
        month,
        string_agg(distinct prepared_by collate "C", ' and ' order by prepared_by collate "C") as prepared_by,
        case
            when bool_and(approved_by is not null)
                then string_agg(distinct approved_by collate "C", ' and ' order by approved_by collate "C")
                    || case when bool_or(is_single_signer) then ' (one person)' else '' end
        end as approved_by,
        case
            when bool_or(state = 'withdrawn') then 'withdrawn'
            when bool_and(state = 'certified') then 'certified'
            else 'prepared'
        end as state
    from part
    inner join closed_month using (month)
    group by month

),

month as (

    select date_trunc('month', as_of_on::timestamp)::date as month
    from day
    union
    (
        select month
        from closing
        order by month desc
        limit 120
    )

),

-- What has changed since the edition that stands for the month, or since the night that was approved.
changed as (

    select
        base.month,
        array_agg(change) as changes
    from (
        select
            month.month,
            coalesce(part.first_day, month.month) as first_day,
            coalesce(part.last_day, (month.month + interval '1 month')::date - 1) as last_day,
            coalesce(part.run_id, max(standing_month.run_id)) as run_id
        from month
        inner join standing_month on month.month = standing_month.month
        left join closing on month.month = closing.month
        left join part on closing.month = part.month
        group by month.month, part.first_day, part.last_day, part.run_id
    ) as base
    cross join lateral unnest(changed_numbers(base.first_day, base.last_day, base.run_id, null)) as change
    group by base.month

),

moved as (

    select
        changed.month,
        change.words
    from changed
    cross join lateral change_words(changed.changes) as change

),

-- The days of an ended month that no report of Sales and Trends covers. Apple reports a day on the next one.
pending as (

    select
        month.month,
        (
            select sum(upper(range) - lower(range))
            from unnest(
                datemultirange(
                    daterange(greatest(month.month, lower(reported.days)), (month.month + interval '1 month')::date)
                )
                - reported.days
            ) as range
        ) as days
    from month
    cross join night
    cross join (
        select range_agg(daterange(apple_report.period_begin, apple_report.period_end, '[]')) as days
        from apple_report
        cross join night
        where
            apple_report.kind = 'sales_summary'
            and apple_report.period_end <= (night.as_of at time zone apple_time_zone())::date
    ) as reported
    where
        (month.month + interval '1 month')::date <= night.as_of_on
        and lower(reported.days) < (month.month + interval '1 month')::date

),

month_books as (

    select
        month.month,
        coalesce(closing.state, 'open') as kind,
        concat_ws(
            ', ',
            'closed by ' || closing.prepared_by,
            'approved by ' || closing.approved_by,
            case when closing.month is null then 'changed since it was published: ' else 'changed since then: ' end
            || moved.words,
            'pending: ' || pending.days || case when pending.days = 1 then ' day' else ' days' end
            || ' without a report of Sales and Trends'
        ) as words
    from month
    left join closing on month.month = closing.month
    left join moved on month.month = moved.month
    left join pending on month.month = pending.month

)

select
    to_char(attempted.as_of_on, 'YYYY-MM-DD') as day,
    to_char(attempted.as_of_on, 'FMDy FMDD Mon') as label,
    to_char(month_books.month, 'FMMonth YYYY') as month,
    to_char(month_books.month, 'YYYY-MM') as month_id,
    case
        when attempted.as_of_on is null then 'absent'
        when attempted.outcome = 'done' and counted.is_counted is not true then 'uncounted'
        else attempted.outcome
    end as state,
    coalesce(counted.missing, 0) as missing,
    coalesce(counted.uncertain, 0) as uncertain,
    counted.due,
    coalesce(counted.unread_files, 0) as unread_files,
    coalesce(counted.stale_feeds, 0) as stale_feeds,
    coalesce(counted.errors, 0) as errors,
    coalesce(counted.warnings, 0) as warnings,
    coalesce(counted.infos, 0) as infos,
    attempted.edition,
    attempted.as_of_on - lag(attempted.as_of_on) over older - 1 as skipped,
    to_char(lag(attempted.as_of_on) over older + 1, 'FMDy FMDD Mon') as skipped_first,
    to_char(attempted.as_of_on - 1, 'FMDy FMDD Mon') as skipped_last,
    month_books.kind as books_kind,
    month_books.words as books
from month_books
left join attempted on month_books.month = date_trunc('month', attempted.as_of_on::timestamp)::date
left join counted on attempted.run_id = counted.run_id
window older as (order by attempted.as_of_on)
order by month_books.month desc, attempted.as_of_on desc
