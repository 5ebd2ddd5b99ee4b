-- Creates functions that rules and reports share.

-- The same text without control characters other than tab, CR and LF: those of C0 become their pictures, those of C1
-- U+2426. Text from outside could steer a terminal, and RFC 4180 allows no such character in a CSV.
create function printable_text(value text) returns text
language sql immutable parallel safe
return case
    -- Almost no text has one, and this search is faster than the replacement.
    when value collate "C" ~ '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]'
        then regexp_replace(
            translate(
                value,
                e'\u0001\u0002\u0003\u0004\u0005\u0006\u0007\u0008\u000b\u000c\u000e\u000f\u0010\u0011'
                '\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f\u007f',
                e'\u2401\u2402\u2403\u2404\u2405\u2406\u2407\u2408\u240b\u240c\u240e\u240f\u2410\u2411'
                '\u2412\u2413\u2414\u2415\u2416\u2417\u2418\u2419\u241a\u241b\u241c\u241d\u241e\u241f\u2421'
            ),
            '[\u0080-\u009f]', e'\u2426', 'g'
        )
    else value
end;

-- The same name, in quotation marks if it begins or ends with a blank, which a sentence would not show.
create function quoted_name(name text) returns text
language sql immutable parallel safe
return case when name collate "C" ~ '^[\s\u00a0]|[\s\u00a0]$' then '“' || name || '”' else name end;

-- Text for a CSV: a text that a spreadsheet would read as a formula gets an apostrophe in front.
create function csv_text(value text) returns text
language sql immutable parallel safe
return case
    when value = '' then null
    when left(value, 1) in ('=', '+', '-', '@', chr(9), chr(13), chr(10)) then '''' || printable_text(value)
    else printable_text(value)
end;

-- An instant as the reports write it.
create function csv_instant(value timestamptz) returns text
language sql stable parallel safe
return to_char(value at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"');

-- The beginning of the hour (UTC) of an instant.
create function utc_hour(instant timestamptz) returns timestamptz
language sql immutable parallel safe
return date_bin('1 hour', instant, '2000-01-01T00:00:00Z');

-- The beginning of the day (UTC) of an instant.
create function utc_day(instant timestamptz) returns timestamptz
language sql immutable parallel safe
return date_bin('1 day', instant, '2000-01-01T00:00:00Z');

-- Whether an hour of the log (judge_log_hour.sql) has an attempt from one instant to another, including both. The
-- seconds are in order, so width_bucket() counts by halving how many of them there are up to an instant. A bound of
-- another type than theirs would convert all of them first.
create function is_logged(
    hour timestamptz, seconds smallint [], begins_at timestamptz, ends_at timestamptz
) returns boolean
language sql immutable parallel safe
return
    width_bucket(least(greatest(extract(epoch from ends_at - hour)::bigint, -1), 3600)::smallint, seconds)
    > width_bucket(least(greatest(extract(epoch from begins_at - hour)::bigint - 1, -1), 3600)::smallint, seconds);

-- The first attempt in an hour of the log, and the last one.
create function first_logged_at(hour timestamptz, seconds smallint []) returns timestamptz
language sql stable parallel safe
return hour + seconds[1] * interval '1 second';

create function last_logged_at(hour timestamptz, seconds smallint []) returns timestamptz
language sql stable parallel safe
return hour + seconds[cardinality(seconds)] * interval '1 second';

-- Whether a day is one of the days before the day of a purchase in which a server serves a product (serving_days).
create function is_serving_day(day date, bought_on date) returns boolean
language sql immutable parallel safe
return day >= bought_on - serving_days() and day < bought_on;

-- Whether a server served a product in the days before the day of a purchase (serving_days), by one month of
-- source_product. The days of the month on which it did are in order (judge_source_product.sql).
create function is_served_before(bought_on date, month date, days date []) returns boolean
language sql immutable parallel safe
return
    -- The earliest and the latest month that can have such a day: with them the months are looked up by their key.
    month >= date_trunc('month', (bought_on - serving_days())::timestamp)::date
    and month < bought_on
    and width_bucket(bought_on - 1, days) > width_bucket(bought_on - 1 - serving_days(), days);

-- The key of the thing that a delivery belongs to: its purchase, or the delivery alone.
create function attempt_thing(obligation_key text, delivery_id text) returns text
language sql immutable parallel safe
return coalesce(obligation_key, 'delivery ' || delivery_id);

-- The key of a claim of an app that no evidence contains. Null if the claim names no transaction.
create function claim_thing(transaction_id text, original_transaction_id text) returns text
language sql immutable parallel safe
return 'claim ' || coalesce(transaction_id, original_transaction_id);

-- An error text without what differs from attempt to attempt: each word that contains a digit becomes #, except an HTTP
-- status, and white space becomes one space. Words end at white space and at these marks: ()[]{}<>"',;:=|/?&
-- It has at most 120 characters. Null if the error is null or empty.
create function error_kind(error text) returns text
language sql immutable parallel safe
return nullif(left(
    translate(
        regexp_replace(
            -- An HTTP status is marked first, so that it stays.
            regexp_replace(
                btrim(regexp_replace(translate(error collate "C", e'\u0001', ''), '[ \t\n\v\f\r]+', ' ', 'g')),
                '((?:http(?:/[0-9.]+)?|status|code)[ :=]{1,2}[1-5][0-9][0-9])(?=[]()[{}<>"'',;:=|/?& ]|$)',
                e'\\1\u0001', 'gi'
            ),
            '[^]()[{}<>"'',;:=|/?& \u0001]*[0-9][^]()[{}<>"'',;:=|/?& \u0001]*(?=[]()[{}<>"'',;:=|/?& ]|$)',
            '#', 'g'
        ),
        e'\u0001', ''
    ),
    120
), '');

-- The value, which must be equal to the expected value. Otherwise the query fails and names the sum.
create function balanced(value numeric, expected numeric, sum_name text) returns numeric
language plpgsql immutable parallel safe
as $$
begin
    if value is distinct from expected then
        raise '% does not add up: it is %, and must be %', sum_name, value, expected;
    end if;
    return value;
end
$$;

-- The number of digits behind the decimal point of a currency's smallest unit (ISO 4217).
create function currency_digits(currency text) returns integer
language sql immutable parallel safe
return case
    when currency in (
        'BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND',
        'VUV', 'XAF', 'XOF', 'XPF'
    ) then 0
    when currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 3
    when currency in ('CLF', 'UYW') then 4
    else 2
end;

-- An amount with at least the decimal places of its currency, and with no zeros after those.
create function csv_amount(amount numeric, currency text) returns numeric
language sql immutable parallel safe
return round(amount, greatest(min_scale(amount), currency_digits(currency)));

-- A sum in words. It says whether list prices of the catalogue are in it, which are estimates.
create function amount_words(currency text, amount numeric, has_list_prices boolean, has_only_list_prices boolean)
returns text
language sql immutable parallel safe
return currency || ' ' || csv_amount(amount, currency)
|| case when has_only_list_prices then ' (list price)' when has_list_prices then ' (with list prices)' else '' end;

-- A number of units in words: 1 unit, 2 units.
create function unit_words(units numeric) returns text
language sql immutable parallel safe
return units || case when abs(units) = 1 then ' unit' else ' units' end;

-- The same text without invisible characters: tab, CR and LF become their pictures, others U+2426.
-- RejectedRecord.visible does the same with excerpts.
create function visible_text(value text) returns text
language sql immutable parallel safe
return regexp_replace(
    translate(printable_text(value), e'\u0009\u000a\u000d', e'\u2409\u240a\u240d'),
    '[\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u2028-\u202e'
    '\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3'
    '\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f]',
    e'\u2426', 'g'
)
