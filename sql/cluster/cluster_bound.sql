-- Returns one row: how many transactions and delivery records a distributed ledger has. If everything is judged, all
-- of them come to its coordinator.
--
-- Gives  row_count
select
    (select count(*) from stored_evidence where is_lone)
    + (select count(*) from merged_transaction)
    + (select count(*) from stored_delivery) as row_count
