-- Lists the receipts that are due: Apple gave no final answer about them in the last hours. Returns one row with the
-- number of known receipts, and of those that are due.
--
-- Several accounts or devices can present the same receipt. The one that sorts first counts, so that the order of files
-- does not matter.
--
-- Takes  $1: the number of hours; presented (refresh_start.sql).
-- Fills  due (refresh_start.sql)
with

known as materialized (

    select distinct on (receipt_hash)
        receipt_hash,
        account_id,
        device_id,
        storefront
    from presented
    order by receipt_hash, account_id, device_id, storefront

),

listed as (

    insert into due (receipt_hash, account_id, device_id, storefront)
    select
        known.receipt_hash,
        known.account_id,
        known.device_id,
        known.storefront
    from known
    left join receipt_question
        on known.receipt_hash = receipt_question.receipt_hash
        and receipt_question.asked_at >= transaction_timestamp() - make_interval(hours => $1::integer)
    where receipt_question.receipt_hash is null
    returning receipt_hash

)

select
    (select count(*) from known) as known,
    (select count(*) from listed) as due
