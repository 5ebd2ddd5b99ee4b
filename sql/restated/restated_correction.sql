-- Corrects what was published about ended months and is wrong although no record has changed it: the carried data that
-- the edition was made of was wrong.
--
-- What was published is only known as sums, so a correction names no transaction. An edition that stands for a month
-- when a closed period is reopened is corrected too. Closed periods are not corrected (period_wrong.sql).
--
-- Takes  restated_line (restated_line.sql) of all standing editions
-- Gives  sums: the number of sums that are corrected in one edition or several
with

corrected as (

    insert into month_correction (
        run_id, corrected_run_id, month, product_id, currency, price_source, kind, units, amount
    )
    select
        night.run_id,
        line.run_id,
        line.month,
        line.product_id,
        line.currency,
        line.price_source,
        line.kind,
        sum(case when line.is_now then line.units else -line.units end),
        sum(case when line.is_now then line.amount else -line.amount end)
    from restated_line as line
    cross join night
    group by night.run_id, line.run_id, line.month, line.product_id, line.currency, line.price_source, line.kind
    having
        sum(case when line.is_now then line.units else -line.units end) <> 0
        or sum(case when line.is_now then line.amount else -line.amount end) <> 0
    returning month, product_id, currency, price_source, kind

)

select count(distinct (month, product_id, currency, price_source, kind)) as sums
from corrected
