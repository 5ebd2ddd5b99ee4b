-- Returns one row: how many transactions and delivery records come to the coordinator of a
-- distributed ledger if everything is judged.
--
-- Gives  judged_rows, ledger_rows
with

stored as (

    select
        (select count(*) from stored_evidence where is_lone)
        + (select count(*) from merged_transaction)
        + (select count(*) from stored_delivery) as row_count

)

select
    row_count as judged_rows,
    row_count as ledger_rows
from stored
