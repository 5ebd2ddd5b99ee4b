-- Returns one row: the days that are explained, those of a month or of a closed period, and the edition with which they
-- are compared: the one that stands for the month, or the one whose numbers the pack of the period has. A month that
-- was not published has none.
--
-- Takes  tieout.explained_as: month or period; tieout.explained_name: `2026-10`, `2026-10 PRODUCT`, `2026-10 PRODUCT
--        CURRENCY`, or the same with the name of a closed period, such as `2026-10-01..2026-10-15`
-- Gives  name; span: the name of the month or period; rest: the words behind it; first_day, next_day; closing_id: of a
--        period; run_id, edition
with

-- An identifier may contain spaces, so the last word is a currency only if it is one of these days.
asked as (

    select
        named.name,
        split_part(named.name, ' ', 1) as span,
        nullif(substr(named.name, length(split_part(named.name, ' ', 1)) + 2), '') as rest,
        current_setting('tieout.explained_as') as kind
    from (select current_setting('tieout.explained_name') collate "C" as name) as named

),

spanned as (

    select
        asked.*,
        to_date(asked.span, 'YYYY-MM') as first_day,
        (to_date(asked.span, 'YYYY-MM') + interval '1 month')::date as next_day,
        null::integer as closing_id,
        (
            select max(standing_month.run_id)
            from standing_month
            where standing_month.month = to_date(asked.span, 'YYYY-MM')
        ) as run_id
    from asked
    where asked.kind = 'month'
    union all
    select
        asked.*,
        closing.first_day,
        closing.last_day + 1,
        closing.closing_id,
        closing.run_id
    from asked
    inner join period_closing as closing on asked.span = closing.period and closing.reopened_at is null
    where asked.kind = 'period'

)

select
    spanned.name,
    spanned.span,
    spanned.rest,
    spanned.first_day,
    spanned.next_day,
    spanned.closing_id,
    spanned.run_id,
    edition_name(run.as_of_on, coalesce(standing_month.edition, run.edition)) as edition
from spanned
left join run on spanned.run_id = run.run_id
left join standing_month
    on spanned.closing_id is null
    and spanned.first_day = standing_month.month
    and spanned.run_id = standing_month.run_id
