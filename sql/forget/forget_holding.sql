-- Creates the table of the rejections that contain a forgotten name, in one of its spellings. The name may be in Base64
-- text, as signed texts and receipts have it. A notification contains a transaction as Base64 in Base64.
--
-- It searches what was kept of each record, but not the text that says why it was rejected. As in forget_trace.sql, the
-- name may be a part of a longer word.
--
-- Takes  forgotten_spelling: bytes.
create temporary table holding_rejection on commit drop as
select rejection_id
from rejection
where
    exists (
        with recursive

        content as (

            select
                -- No name goes on from the one to the other.
                coalesce(rejection.raw, '') || '\x00'::bytea || convert_to(rejection.excerpt, 'UTF8') as bytes,
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
        inner join forgotten_spelling on position(forgotten_spelling.bytes in content.bytes) > 0
    )
