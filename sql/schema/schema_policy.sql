-- Creates the functions with the policy numbers: the numbers of days, deliveries and hours by which rules and reports
-- decide.
--
-- Each of these numbers is here only, even if one query alone needs it. docs/meaning.md says what follows from them. A
-- number that a company chooses is a setting (judge_night.sql). The planner replaces a call by its value, so the call
-- costs nothing.

-- The number of days with which an hour of a server is compared. It is even, because the median of these days is the
-- mean of the two in the middle.
create function silence_days() returns integer language sql immutable parallel safe return 14;

-- A server is expected to send if this is the median of its attempts in the same hour of those days.
create function silence_attempts() returns integer language sql immutable parallel safe return 10;

-- A server that has sent nothing in this number of days after a silence was switched off.
create function switched_off_days() returns integer language sql immutable parallel safe return 28;

-- A server serves a product if it attempted to deliver it in this number of days before the day of the purchase.
create function serving_days() returns integer language sql immutable parallel safe return 14;

-- The causes of missing deliveries are those of what fell due in this number of days before as-of.
create function cause_days() returns integer language sql immutable parallel safe return 14;

-- The smallest number of missing deliveries that a cause has.
create function cause_deliveries() returns integer language sql immutable parallel safe return 10;

-- The smallest lift of a cause: how many times more frequent it is among missing deliveries than among all owed ones.
create function cause_lift() returns numeric language sql immutable parallel safe return 1.5;

-- The smallest weight of a cause, which judge_cause.sql explains.
create function cause_weight() returns integer language sql immutable parallel safe return 10;

-- A feed is compared with what it brought in this number of days up to its newest record.
create function feed_days() returns integer language sql immutable parallel safe return 28;

-- A feed can be stale if it brought records on at least this number of those days.
create function feed_active_days() returns integer language sql immutable parallel safe return 7;

-- From this number of accounts on, a purchase that they share is a warning.
create function warned_accounts() returns integer language sql immutable parallel safe return 5;

-- An app version restores automatically if a device restored with it on at least this number of days.
create function automatic_restore_days() returns integer language sql immutable parallel safe return 3;

-- The longest time between a purchase and a possible match that was made to the same account.
create function possible_match_span() returns interval language sql immutable parallel safe return interval '24 hours';

-- The number of deliveries to the same account, the nearest before a purchase and after it, that are compared with the
-- missing delivery of the purchase.
create function possible_match_deliveries() returns integer language sql immutable parallel safe return 20;

-- Public scripts forge receipts with an expiry from this instant on.
create function far_expiry() returns timestamptz language sql immutable parallel safe
return timestamptz '2091-01-01T00:00:00Z';

-- The refunded part of a price if all of it was refunded, in thousandths of a per cent.
create function whole_refund() returns integer language sql immutable parallel safe return 100000;

-- The time zone of the days by which Apple's reports count.
create function apple_time_zone() returns text language sql immutable parallel safe return 'America/Los_Angeles';

-- The page shows this number of days, of which the night is the last one.
create function page_days() returns integer language sql immutable parallel safe return 30;

-- The sections of run_count that count records; the section `files` counts files.
create function record_sections() returns text[] language sql immutable parallel safe
return array[
    'documents', 'transactions', 'deliveries', 'catalogue_entries', 'client_records', 'apple_rows', 'acknowledgements'
];

-- The number of rejections of each file and reason that keep their detail and excerpt, and of each reason in a run that
-- keep the record itself. The readers use the same number (RejectionShare.swift).
create function whole_rejections() returns integer language sql immutable parallel safe return 100;

-- The number of the newest rejections that an explanation searches for a name.
create function searched_rejections() returns integer language sql immutable parallel safe return 100000;

-- A load analyzes a table if tonight's rows times this number are more than the table has.
create function grown_part() returns integer language sql immutable parallel safe return 10
