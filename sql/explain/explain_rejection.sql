-- Returns the rejected records that contain the explained name as a separate word. They are a reason why something is
-- not known.
--
-- It searches the newest hundred thousand rejections, in the part of each record that was kept, and returns the newest
-- twenty. A truncated record that was read whole later is left out.
--
-- Takes  read_later (explain_read_later.sql).
-- Gives  the columns below; records: how many there are
with

asked as (

    select
        convert_to(named.name, 'UTF8') as bytes,
        -- Matches a separate word: 2026-11 is none in 2026-11-19, and 1.2 none in 1.2.3. Every character that is not a
        -- letter or a digit is escaped.
        '(^|[^A-Za-z0-9_.-])'
        || regexp_replace(encode(convert_to(named.name, 'UTF8'), 'escape'), '([^A-Za-z0-9])', '\\\1', 'g')
        || '($|[^A-Za-z0-9_.-]|[.]($|[^A-Za-z0-9_.-]))' as pattern
    from (
        -- No identifier is longer than 255 characters, and marks alone are in many records. The planner would test the
        -- pattern even if a condition excluded it.
        select
            case
                when
                    length(current_setting('tieout.explained')) <= 255
                    and current_setting('tieout.explained') !~ '^[[:space:][:punct:]]*$'
                    then current_setting('tieout.explained')
            end as name
    ) as named

),

newest as (

    select rejection.*
    from rejection
    order by rejection.rejection_id desc
    limit 100000

)

select
    newest.path as file,
    newest.line,
    newest.kind,
    newest.reason,
    newest.detail,
    newest.excerpt,
    csv_instant(run.as_of) as as_of,
    count(*) over () as records
from newest
cross join asked
inner join run using (run_id)
where
    -- Compares bytes first, because that is fast, and a rejected record may not be text.
    position(asked.bytes in newest.raw) > 0
    and encode(newest.raw, 'escape') ~ asked.pattern
    and newest.rejection_id not in (select read_later.rejection_id from read_later)
order by newest.rejection_id desc
limit 20
