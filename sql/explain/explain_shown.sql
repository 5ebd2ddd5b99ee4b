-- Returns one row if not everything of an account or device is shown: how many transactions and deliveries it has, and
-- how many of them are shown.
--
-- Takes  tieout.explained; explained_transaction, explained_delivery (explain_seed.sql); affected_transaction,
--        affected_delivery.
-- Gives  transactions, shown_transactions, deliveries, shown_deliveries
with

asked as (select current_setting('tieout.explained') collate "C" as name),

of_name as (

    select
        (
            select count(*)
            from explained_transaction
            where explained_transaction.name = asked.name
        ) as transactions,
        (
            select count(*)
            from explained_transaction
            inner join affected_transaction using (transaction_number)
            where explained_transaction.name = asked.name
        ) as shown_transactions,
        (
            select count(*)
            from explained_delivery
            where explained_delivery.name = asked.name
        ) as deliveries,
        (
            select count(*)
            from explained_delivery
            inner join affected_delivery using (delivery_id)
            where explained_delivery.name = asked.name
        ) as shown_deliveries
    from asked

)

select
    transactions,
    shown_transactions,
    deliveries,
    shown_deliveries
from of_name
where shown_transactions < transactions or shown_deliveries < deliveries
