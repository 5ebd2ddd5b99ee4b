-- Creates the tables of the runs of the job and of what each of them counted.

-- One row for each start of the job, kept permanently.
create table run (
    run_id bigint generated always as identity primary key,
    as_of timestamptz not null,
    -- The as-of day in the configured time zone: the name of the folder of the reports.
    as_of_on date not null,
    -- running, done, rejected, failed, stopped or killed.
    outcome text not null default 'running',
    -- A run with an as-of before the newest one writes that day's statements again and changes no finding.
    is_of_past_day boolean not null default false,
    -- It has read all files again that count (rebuild_empty.sql).
    is_rebuild boolean not null default false,
    -- Its reports are published, in the folder of this edition of its day.
    is_published boolean not null default false,
    edition integer,
    -- A command has reported the result of the run: by its summary, its mail or its exit status.
    is_reported boolean not null default false,
    -- Retention has dropped the closed data of this run (retention_drop.sql).
    is_cleared boolean not null default false,
    started_at timestamptz not null default clock_timestamp(),
    finished_at timestamptz,
    program_version text not null,
    started_by text not null,
    started_on_host text not null,
    reports_folder text,
    settings jsonb not null,

    constraint outcome_is_known check (
        outcome in ('running', 'done', 'rejected', 'failed', 'stopped', 'killed')
    )
);

create index run_by_as_of_on on run (as_of_on);

-- The last run of each as-of day: the last night that was done, or else the last run. A run of a past day does not
-- count.
create view last_run_of_day as
select distinct on (as_of_on)
    as_of_on,
    run_id,
    outcome
from run
where not is_of_past_day
order by as_of_on, outcome = 'done' desc, run_id desc;

-- The name of an edition: its day, with its number from the second one on.
create function edition_name(as_of_on date, edition integer) returns text
language sql stable parallel safe
return as_of_on || case when edition > 1 then '.' || edition else '' end;

-- Whether a run is one of those of a night's day that were done, up to the night's own, which is still running.
create function is_run_of_day(as_of_on date, run_id bigint, outcome text, night_on date, night_run_id bigint)
returns boolean
language sql immutable parallel safe
return as_of_on = night_on and run_id <= night_run_id and outcome in ('done', 'running');

-- The last night that was done before a run; null if there is none. The run judges the files that were loaded since
-- then, also those that a run of a past day has loaded.
create function night_before(run_id bigint) returns bigint
language sql stable parallel safe
return (
    select max(earlier.run_id)
    from run as earlier
    where earlier.outcome = 'done' and not earlier.is_of_past_day and earlier.run_id < night_before.run_id
);

-- The restore window of a run; null means that it has no limit.
create function restore_window(settings jsonb) returns interval
language sql immutable parallel safe
return make_interval(days => nullif((settings ->> 'restore_window')::integer, 0));

-- The settings that decide which records of a file are read. What was loaded with others counts until the next rebuild.
create function settings_of_reading() returns text[] language sql immutable parallel safe
return array['bundle_ids', 'delivery_columns', 'document_limit', 'receipt_columns', 'trusted_roots'];

-- The settings of a run that affect its findings. The other settings decide what is read, how much is kept and who may
-- approve a period.
create function settings_of_findings(settings jsonb) returns jsonb
language sql immutable parallel safe
return settings - settings_of_reading() - array['inbox', 'keep_closed_days', 'single_signer', 'rejections_kept'];

-- The settings of a run that affect how it judged. The others decide only what rules about the whole night and the
-- reports show. An earlier `revenue_since` makes the night judge everything (Judgement.swift).
create function settings_of_judgement(settings jsonb) returns jsonb
language sql immutable parallel safe
return settings_of_findings(settings) - array[
    'revenue_since', 'stale_after', 'catalogue_urls', 'materiality'
];

-- One row for each number that a run counted. The control totals of a day are sums of these.
create table run_count (
    run_id bigint not null references run,
    section text collate "C" not null,
    measure text collate "C" not null,
    value bigint not null,

    primary key (run_id, section, measure)
);

-- The number of transactions of the ledger that the newest night counted.
create function counted_transactions() returns bigint
language sql stable parallel safe
return (
    select value
    from run_count
    where section = 'standing' and measure = 'transactions'
    order by run_id desc
    limit 1
);

-- One row for each step of a run.
create table run_step (
    run_id bigint not null references run,
    step_number integer not null,
    step text not null,
    milliseconds bigint not null,
    row_count bigint,
    -- The bytes that the step read from files or wrote into them.
    byte_count bigint,

    primary key (run_id, step_number)
)
