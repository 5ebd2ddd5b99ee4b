-- Records that could not be used and that hold what was asked about as a word of its own: why something is
-- not known at all. Looked for in the newest hundred thousand rejections, and in what was kept of each.
with

asked as (

    select
        convert_to(named.name, 'UTF8') as bytes,
        -- As a word of its own; what is no letter and no digit stands for itself.
        '(^|[^A-Za-z0-9_])'
        || regexp_replace(encode(convert_to(named.name, 'UTF8'), 'escape'), '([^A-Za-z0-9])', '\\\1', 'g')
        || '($|[^A-Za-z0-9_])' as pattern
    from (
        -- No identifier is longer; and the planner tries the pattern whatever a condition says.
        select case when length(current_setting('tieout.explained')) <= 255 then current_setting('tieout.explained') end
            as name
    ) as named
    where named.name <> ''

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
    csv_instant(run.as_of) as as_of
from newest
cross join asked
inner join run using (run_id)
where
    -- Byte by byte first: it is quick, and what was rejected may be no text.
    position(asked.bytes in newest.raw) > 0
    and encode(newest.raw, 'escape') ~ asked.pattern
order by newest.rejection_id desc
limit 20
