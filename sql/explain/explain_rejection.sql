-- Returns the rejected records that contain the explained name as a separate word, also in Base64 text, as signed texts
-- and receipts have it. They are a reason why something is not known.
--
-- It searches the newest rejections (searched_rejections), in the part of each record that was kept, and returns
-- twenty: entries of catalogues first, because a product can be in many other records, then the newest. A record that
-- was read again later is left out. Of a record that was rejected in several nights, as one in a file that grows, the
-- newest rejection counts. A name of fewer than five characters is in so much Base64 text that it is not searched
-- there.
--
-- Takes  tieout.explained; read_later (explain_read_later.sql).
-- Gives  the columns below; is_encoded: only Base64 text of the record contains the name; records: how many there are
with recursive

named as (

    -- No identifier is longer than 255 characters, and marks alone are in many records. The planner would test the
    -- pattern even if a condition excluded it.
    select
        case
            when
                length(current_setting('tieout.explained')) <= 255
                and current_setting('tieout.explained') !~ '^[[:space:][:punct:]]*$'
                then current_setting('tieout.explained')
        end as name

),

asked as (

    select
        convert_to(name, 'UTF8') as bytes,
        word_pattern(name) as pattern,
        -- A text in a receipt: its tag in ASN.1, its length, and the text without a mark behind it.
        case
            when octet_length(name) < 128
                then chr(12) || chr(octet_length(name)) || encode(convert_to(name, 'UTF8'), 'escape')
        end as field
    from named

),

-- The characters that stand for the name in Base64, whatever number of bytes comes before it. A notification contains
-- a transaction as Base64 in Base64. No mark of the two alphabets of Base64 stands for a character of an id.
spelled as (

    select
        name as text,
        0 as depth
    from named
    where length(name) >= 5
    union all
    select
        substr(
            translate(encode(convert_to(repeat(' ', before) || text, 'UTF8'), 'base64'), e'=\n', ''),
            (8 * before + 5) / 6 + 1,
            8 * (before + octet_length(text)) / 6 - (8 * before + 5) / 6
        ),
        depth + 1
    from spelled
    cross join generate_series(0, 2) as shift (before)
    where depth < 2

),

newest as materialized (

    select rejection.*
    from rejection
    order by rejection.rejection_id desc
    limit searched_rejections()

),

-- The content of the records that can contain the name in Base64, and of the Base64 text in that.
content as (

    select
        newest.rejection_id,
        encode(newest.raw, 'escape') as text,
        0 as depth
    from newest
    where
        newest.kind in ('receipt', 'transaction')
        and exists (
            select
            from spelled
            where spelled.depth > 0 and position(convert_to(spelled.text, 'UTF8') in newest.raw) > 0
        )
    union all
    select
        content.rejection_id,
        encode(
            decode(
                rpad(translate(piece.text, '-_', '+/'), (length(piece.text) + 3) / 4 * 4, '='),
                'base64'
            ),
            'escape'
        ),
        content.depth + 1
    from content
    -- JSON may escape a slash.
    cross join lateral (
        select left(found.match[1], length(found.match[1]) - (length(found.match[1]) % 4 = 1)::integer) as text
        from regexp_matches(replace(content.text, '\\/', '/'), '[A-Za-z0-9+/_-]{16,}', 'g') as found (match)
    ) as piece
    where content.depth < 2

),

encoded as (

    select distinct content.rejection_id
    from content
    cross join asked
    where content.depth > 0 and (content.text ~ asked.pattern or position(asked.field in content.text) > 0)

),

naming as (

    select
        newest.rejection_id,
        newest.run_id,
        newest.path,
        newest.line,
        newest.kind,
        newest.reason,
        newest.detail,
        newest.excerpt,
        not plain.is_there as is_encoded,
        rank() over (
            partition by newest.path, newest.line, newest.kind, newest.reason, newest.raw
            order by newest.run_id desc
        ) as place
    from newest
    cross join asked
    left join encoded using (rejection_id)
    cross join lateral (
        select
            -- Compares bytes first, because that is fast, and a rejected record may not be text.
            position(asked.bytes in newest.raw) > 0
            and encode(newest.raw, 'escape') ~ asked.pattern as is_there
    ) as plain
    where
        (plain.is_there or encoded.rejection_id is not null)
        and newest.rejection_id not in (select read_later.rejection_id from read_later)

)

select
    naming.path as file,
    naming.line,
    naming.kind,
    naming.reason,
    naming.detail,
    naming.excerpt,
    csv_instant(run.as_of) as as_of,
    naming.is_encoded,
    count(*) over () as records
from naming
inner join run using (run_id)
where naming.place = 1
order by naming.kind = 'catalogue' desc, naming.rejection_id desc
limit 20
