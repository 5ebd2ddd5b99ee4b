-- The few words that the rules and reports share.

-- Text for a spreadsheet: what would be read as a formula gets an apostrophe in front.
create function csv_text(value text) returns text
language sql immutable parallel safe
return case
    when value = '' then null
    when left(value, 1) in ('=', '+', '-', '@', chr(9), chr(13), chr(10)) then '''' || value
    else value
end;

-- An instant as the reports write it.
create function csv_instant(value timestamptz) returns text
language sql stable parallel safe
return to_char(value at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"');

-- The digits behind the point of a currency's smallest unit (ISO 4217).
create function currency_digits(currency text) returns integer
language sql immutable parallel safe
return case
    when currency in (
        'BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND',
        'VUV', 'XAF', 'XOF', 'XPF'
    ) then 0
    when currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 3
    else 2
end;

-- levenshtein(), for the identifier that was probably meant.
create extension if not exists fuzzystrmatch
