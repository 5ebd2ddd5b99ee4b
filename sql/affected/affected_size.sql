-- Returns how much of the ledger is affected. Below 200 records, statistics cost more than they save.
--
-- Gives  size: nothing, little, much
select
    case
        when sum(records) = 0 then 'nothing'
        when sum(records) < 200 then 'little'
        else 'much'
    end as size
from (
    select count(*) as records
    from store_transaction
    union all
    select count(*)
    from delivery_record
    union all
    select count(*)
    from client_transaction
    union all
    select count(*)
    from client_invalid_product
) as affected
