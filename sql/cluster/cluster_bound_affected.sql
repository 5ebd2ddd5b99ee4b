-- Returns one row: how many transactions and delivery records of a distributed ledger come to its coordinator if only
-- the affected ones are judged.
--
-- Takes  present_transaction, present_delivery: the affected names that records of the ledger can have
-- Gives  row_count
select
    (
        select count(*)
        from present_transaction
        inner join stored_evidence using (transaction_number)
        where stored_evidence.is_lone
    )
    + (select count(*) from present_transaction inner join merged_transaction using (transaction_number))
    + (select count(*) from present_delivery inner join stored_delivery using (delivery_id)) as row_count
