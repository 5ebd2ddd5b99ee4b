-- What tells a silent source from a delivery that nobody tried, and what the missing have in common.

-- judge_source_hour.sql
create table carried_source_hour (
    server text collate "C" not null,
    hour timestamptz not null,
    attempts bigint not null,

    primary key (server, hour)
);

-- Of all servers the newest hours.
create index carried_source_hour_by_hour on carried_source_hour (hour);

-- judge_source_product.sql
create table carried_source_product (
    product_id text collate "C" not null,
    day date not null,
    server text collate "C" not null,
    attempts bigint not null,

    primary key (product_id, day, server)
);

-- judge_silent_hour.sql
create table carried_silent_hour (
    server text collate "C" not null,
    hour timestamptz not null,

    primary key (server, hour)
);

create table carried_served (
    due_hour timestamptz not null,
    product_id text collate "C" not null,
    product_type text collate "C" not null,
    -- Of the day, UTC.
    purchase_hour integer not null,
    server text collate "C" not null,
    region text collate "C" not null,
    app_version text collate "C" not null,
    deliveries bigint not null,

    primary key (due_hour, product_id, product_type, purchase_hour, server, region, app_version)
);

-- What the latest attempt names, where there is one.
alter table carried_missing_delivery
    add column product_type text collate "C",
    add column server text collate "C",
    add column region text collate "C",
    add column app_version text collate "C"
