-- Returns the rows of tie_out.csv about the product and the period of the row that is explained.
--
-- Takes  tieout.explained_name: the name of a row, as in findings.csv: `PRODUCT REPORT PERIOD COUNTRY CURRENCY`
-- Gives  the columns of tie_out_row, its key as a subject, and is_asked. No row if there is no such row.
with

line as materialized (

    select
        tie_out_row.*,
        finding_subject(tie_out_row.key) as subject
    from tie_out_row

)

select
    line.*,
    line.subject = asked.subject as is_asked
from line
inner join line as asked
    on line.product_id = asked.product_id
    and line.kind = asked.kind
    and line.period_begin = asked.period_begin
    and line.period_end = asked.period_end
where current_setting('tieout.explained_name') in (asked.subject, csv_text(asked.subject))
