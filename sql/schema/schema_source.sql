-- Creates the tables about the sources of records: the days on which feeds brought something, and what a night carries
-- forward about the servers of the delivery log.

-- One row for each day (UTC) on which a feed brought something: evidence of an environment, or an answer of a
-- catalogue's address. Repeated evidence changes no other table, and it shows that the feed is alive.
create table feed_day (
    -- receipts, or the address without its query.
    feed text collate "C" not null,
    -- Empty for an address.
    environment text collate "C" not null,
    day date not null,
    first_at timestamptz not null,
    last_at timestamptz not null,

    primary key (feed, environment, day)
);

-- judge_log_hour.sql
create table carried_log_hour (
    hour timestamptz primary key,
    seconds smallint [] not null
);

-- judge_source_hour.sql
create table carried_source_hour (
    server text collate "C" not null,
    hour timestamptz not null,
    attempts bigint not null,

    primary key (server, hour)
);

-- For the newest hours of all servers.
create index carried_source_hour_by_hour on carried_source_hour (hour);

-- judge_source_product.sql
create table carried_source_product (
    product_id text collate "C" not null,
    month date not null,
    server text collate "C" not null,
    days date [] not null,
    attempts integer [] not null,

    primary key (product_id, month, server)
);

-- judge_silent_hour.sql
create table carried_silent_hour (
    server text collate "C" not null,
    hour timestamptz not null,

    primary key (server, hour)
);

-- carried_served.sql
create table carried_served (
    due_hour timestamptz not null,
    product_id text collate "C" not null,
    product_type text collate "C" not null,
    -- The hour of the day in UTC.
    purchase_hour integer not null,
    -- The hour that the delivery was made in.
    attempt_hour timestamptz not null,
    server text collate "C" not null,
    region text collate "C" not null,
    app_version text collate "C" not null,
    error text collate "C" not null,
    deliveries bigint not null,

    primary key (
        due_hour, product_id, product_type, purchase_hour, attempt_hour, server, region, app_version, error
    )
)
