-- Creates the tables of Apple's reports about sales, proceeds and subscriptions.

-- One row for each different report, identified by what its rows say.
create table apple_report (
    -- XXH3-128 of the rows without their places.
    report_hash uuid primary key,
    file_id integer not null references input_file,
    -- The run that first read this content, even if that file is withdrawn: the order of reports about one period.
    run_id bigint not null references run,
    kind text collate "C" not null,
    -- From the first to the last day of its rows; of a Financial Report its fiscal month. A report of active
    -- subscriptions names no day.
    period_begin date,
    period_end date,
    -- It is about all countries, so it replaces earlier reports of its period completely. A Financial Report is known
    -- to be so if it has several currencies of the partner share. With one it can be the report of a region.
    is_whole boolean not null,

    constraint report_kind_is_known check (
        kind in ('sales_summary', 'financial', 'subscription', 'subscription_event')
    )
);

-- One row for each row of these reports, with the amounts as Apple states them.
create table apple_report_row (
    report_hash uuid not null references apple_report,
    line bigint not null,
    file_id integer not null,
    begin_on date,
    end_on date,
    -- SKU, Vendor Identifier or Subscription Name.
    product_id text collate "C" not null,
    product_type text collate "C",
    -- Of active subscriptions their number.
    units bigint not null,
    country text collate "C",
    -- Of the customer price.
    currency text collate "C",
    customer_price numeric,
    proceeds_currency text collate "C",
    -- For one unit.
    proceeds numeric,
    -- For all units; only in Financial Reports.
    extended_proceeds numeric,
    -- S or R; only in Financial Reports.
    sale_or_return text collate "C",
    -- Only in Subscription Event reports.
    event text collate "C",

    primary key (report_hash, line)
);

-- The lines of the reports that count: of each period the newest report.
--
-- Of Sales and Trends these are the summaries whose period ends on or after `since`, of Financial Reports all. A period
-- that ends after as-of, on Apple's Pacific days, does not count. The newest is the report whose content a later run
-- read first, and within a run the one with the greater hash. A whole report replaces every earlier one of its period.
-- The report of a region replaces only what earlier ones say about the same country of sale and currency, because a
-- consolidated report contains the reports of the regions. Refunds are negative.
create function newest_apple_line(as_of timestamptz, since date)
returns table (
    kind text,
    period_begin date,
    period_end date,
    product_id text,
    product_type text,
    country text,
    currency text,
    units bigint,
    unit_price numeric,
    amount numeric,
    proceeds_currency text,
    proceeds numeric,
    -- Where the file says it.
    file_id integer,
    line bigint
)
language sql stable parallel safe
as $$
    with

    report as (

        select
            apple_report.*,
            count(*) filter (where is_whole) over (
                partition by kind, period_begin, period_end
                order by run_id desc, report_hash desc
                rows between unbounded preceding and 1 preceding
            ) as replacements
        from apple_report
        where
            period_end <= (as_of at time zone apple_time_zone())::date
            and (kind = 'financial' or kind = 'sales_summary' and period_end >= since)

    ),

    line as (

        select
            report.kind,
            report.period_begin,
            report.period_end,
            stated.product_id,
            stated.product_type,
            stated.country,
            stated.currency,
            stated.units < 0 or coalesce(stated.sale_or_return = 'R', false) as is_refund,
            abs(stated.units) as units,
            abs(stated.customer_price) as unit_price,
            stated.proceeds_currency,
            stated.proceeds,
            stated.extended_proceeds,
            stated.file_id,
            stated.line,
            dense_rank() over (
                partition by
                    report.kind, report.period_begin, report.period_end, stated.country, stated.proceeds_currency
                order by report.run_id desc, report.report_hash desc
            ) as place
        from report
        inner join apple_report_row as stated on report.report_hash = stated.report_hash
        where report.replacements = 0

    )

    -- Both the units and the price of a refund are negative, so their product is not the amount of money.
    select
        kind,
        period_begin,
        period_end,
        product_id,
        product_type,
        country,
        currency,
        case when is_refund then -units else units end,
        unit_price,
        case when is_refund then -units * unit_price else units * unit_price end,
        proceeds_currency,
        case
            when kind = 'financial' then extended_proceeds
            when is_refund then -units * abs(proceeds)
            else units * proceeds
        end,
        file_id,
        line
    from line
    where place = 1
$$
