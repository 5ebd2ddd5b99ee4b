-- Creates the table of the rejections with Base64 text that contains a forgotten name, as signed texts and receipts
-- have it. A notification contains a transaction as Base64 in Base64.
--
-- It searches what was kept of each record. As in forget_trace.sql, the name may be a part of a longer word.
--
-- Takes  forgotten: name, token, escaped.
create temporary table encoded_rejection on commit drop as
select rejection_id
from rejection
where
    exists (
        with recursive

        content as (

            select
                null::bytea as bytes,
                concat_ws(' ', encode(rejection.raw, 'escape'), replace(rejection.excerpt, '\', '\\')) as text,
                0 as depth
            union all
            select
                piece.bytes,
                encode(piece.bytes, 'escape'),
                content.depth + 1
            from content
            -- JSON may escape a slash.
            cross join lateral regexp_matches(
                replace(content.text, '\\/', '/'), '[A-Za-z0-9+/_-]{16,}', 'g'
            ) as found (match)
            cross join lateral (
                select left(found.match[1], length(found.match[1]) - (length(found.match[1]) % 4 = 1)::integer) as text
            ) as whole
            cross join lateral (
                select
                    decode(
                        rpad(translate(whole.text, '-_', '+/'), (length(whole.text) + 3) / 4 * 4, '='), 'base64'
                    ) as bytes
            ) as piece
            where content.depth < 2

        )

        select
        from content
        inner join forgotten on holds_name('', content.bytes, forgotten.name, forgotten.escaped)
    )
