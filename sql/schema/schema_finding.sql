-- Creates the tables of findings and of their changes from night to night.

-- What a finding is about. A rule gives the fields that it needs (the line `Key` of its file), the others are null.
create type finding_key as (
    transaction_id text collate "C",
    original_transaction_id text collate "C",
    product_id text collate "C",
    web_order_line_item_id text collate "C",
    -- Of a subscription without a line item.
    purchased_at timestamptz,
    delivery_id text collate "C",
    device_id text collate "C",
    -- A sorted set.
    account_ids text[] collate "C",
    -- A sorted set of Apple's appAccountToken.
    account_tokens text[] collate "C",
    server text collate "C",
    -- The beginning of a stretch of time.
    begins_at timestamptz,
    app_version text collate "C",
    -- A folder of the inbox.
    feed text collate "C",
    -- The kind of one of Apple's reports.
    apple_report text collate "C",
    -- A month, or the days of a report.
    period text collate "C",
    country text collate "C",
    currency text collate "C",
    -- Why an identifier is wrong, if it can be wrong in several ways.
    product_reason text collate "C"
);

-- How a key is shown to people: its fields in order, separated by spaces. No SQL statement takes a subject apart,
-- because an identifier can contain spaces.
create function finding_subject(key finding_key) returns text
language sql stable parallel safe
return concat_ws(
    ' ',
    (key).transaction_id,
    (key).original_transaction_id,
    (key).product_id,
    (key).web_order_line_item_id,
    csv_instant((key).purchased_at),
    (key).delivery_id,
    (key).device_id,
    array_to_string((key).account_ids, ' '),
    'appAccountToken ' || array_to_string((key).account_tokens, ' '),
    (key).server,
    csv_instant((key).begins_at),
    (key).app_version,
    (key).feed,
    (key).apple_report,
    (key).period,
    (key).country,
    (key).currency,
    (key).product_reason
) collate "C";

-- A key as lists show it: its product is in quotation marks if it begins or ends with a blank, so that it does not look
-- like another product. It calls no other function of a key, because a cluster could not copy both to its workers.
create function shown_key(key finding_key) returns finding_key
language sql stable parallel safe
return case
    when quoted_name((key).product_id) <> (key).product_id
        then jsonb_populate_record(key, jsonb_build_object('product_id', quoted_name((key).product_id)))
    else key
end;

-- Whether a key names an account or a device, which is personal data.
create function names_person(key finding_key) returns boolean
language sql immutable parallel safe
return num_nonnulls((key).device_id, (key).account_ids, (key).account_tokens) > 0;

-- SHA-256 of a text. The hash of a subject stands for it where an index could not hold a long subject.
--
-- decode() of an escaped text gives the bytes of the text as convert_to() does. It is immutable, so the call becomes
-- a part of the calling query and costs a third.
create function text_hash(value text) returns bytea
language sql immutable parallel safe
return sha256(decode(replace(value, '\', '\\'), 'escape'));

-- The name by which people call a finding: `F-` and the first twelve hexadecimal digits of the SHA-256 of rule,
-- environment and subject, separated by spaces. It depends only on these, so it is the same in every database that
-- has the finding. Neither rule nor environment contains a space.
create function finding_name(rule text, environment text, subject text) returns text
language sql immutable parallel safe
return 'F-' || left(encode(text_hash(rule || ' ' || environment || ' ' || subject), 'hex'), 12);

-- One row for each thing that was found wrong. The same rule about the same subject is the same finding in every
-- night.
create table finding (
    finding_id bigint generated always as identity primary key,
    name text collate "C" generated always as (finding_name(rule, environment, subject)) stored,
    rule text collate "C" not null,
    -- Empty if the subject belongs to no environment.
    environment text collate "C" not null,
    key finding_key not null,
    -- finding_subject(key).
    subject text collate "C" not null,
    -- text_hash(subject).
    subject_hash bytea not null,
    level text collate "C" not null,
    reason text collate "C",
    detail text not null,
    -- acknowledged: open, and somebody has said why it does not alert.
    status text collate "C" not null,
    -- The as-of day of the first run that found it.
    first_flagged_on date not null,
    first_run_id bigint not null references run,
    -- The run in which the status last changed.
    changed_run_id bigint not null references run,
    -- The amount of the purchase that the finding is about. Missing if it is about none or about several, or if the
    -- amount is not known.
    amount numeric,
    currency text collate "C",

    -- `tieout explain` looks up subjects by it.
    constraint finding_is_known_by_rule_and_subject unique (subject_hash, rule, environment),
    constraint status_is_known check (status in ('open', 'reopened', 'acknowledged', 'resolved')),
    constraint level_is_known check (level in ('info', 'warning', 'error'))
)
with (
    -- An update within the row's page leaves the indexes alone: the detail of a finding changes often.
    fillfactor = 80,
    autovacuum_vacuum_scale_factor = 0.02
);

create index finding_open on finding (rule) where status <> 'resolved';

-- For retention_drop.sql.
create index finding_resolved on finding (changed_run_id) where status = 'resolved';

create index finding_by_name on finding (name);

-- One row for each change in the life of a finding.
create table finding_event (
    finding_id bigint not null references finding,
    run_id bigint not null references run,
    -- opened, resolved or reopened.
    event text collate "C" not null,
    -- The reason why it was resolved, or why it was reopened although nothing had resolved it. Missing if it was found
    -- for the first time, or again after it had been resolved.
    cause text collate "C",
    -- The record that resolved it, and its place; as far as they are known.
    record text collate "C",
    file text collate "C",
    line bigint,

    primary key (finding_id, run_id),
    constraint event_is_known check (event in ('opened', 'resolved', 'reopened')),
    constraint cause_is_known check (
        cause in (
            'delivered_late', 'refunded', 'window_ended', 'catalogue_changed', 'evidence_arrived', 'log_arrived',
            'report_arrived', 'app_reported', 'feed_resumed', 'line_replaced', 'file_withdrawn', 'account_forgotten',
            'settings_changed', 'period_approved', 'period_reopened', 'change_undone', 'no_longer_holds',
            'acknowledgement_ended', 'level_rose'
        )
    )
)
with (autovacuum_vacuum_insert_scale_factor = 0.02);

create index finding_event_by_run_id on finding_event (run_id);

-- The beginning of a finding's name, as names are written; null if the text cannot be one.
create function finding_beginning(given text) returns text
language sql immutable parallel safe
return 'F-' || lower(substring(given from '^[Ff]-([0-9A-Fa-f]{4,12})$'));

-- Whether a finding's name begins like this: g comes after the last hexadecimal digit. The index of names is used.
create function finding_name_begins(name text, beginning text) returns boolean
language sql immutable parallel safe
return name >= beginning collate "C" and name < (beginning || 'g') collate "C";

-- A finding in words, as in the lists of an explanation.
create function finding_words(level text, rule text, subject text, first_flagged_on date, detail text) returns text
language sql stable parallel safe
return format('%s %s %s, since %s%s', level, rule, subject, first_flagged_on, coalesce(': ' || nullif(detail, ''), ''))
