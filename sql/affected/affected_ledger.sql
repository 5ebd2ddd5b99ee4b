-- Creates temporary tables with the affected part of the ledger.
--
-- They hide the tables of the ledger, so that only this part is judged.

create temporary table store_transaction on commit drop as
select ledger.*
from affected_transaction
inner join tieout.store_transaction as ledger
    on affected_transaction.transaction_number = ledger.transaction_number;

create temporary table delivery_record on commit drop as
select ledger.*
from affected_delivery
inner join tieout.delivery_record as ledger on affected_delivery.delivery_id = ledger.delivery_id;

create temporary table client_transaction on commit drop as
select ledger.*
from affected_transaction
inner join tieout.client_transaction as ledger
    on identifier_text(affected_transaction.transaction_number) = ledger.transaction_id
union
select ledger.*
from affected_transaction
inner join tieout.client_transaction as ledger
    on identifier_text(affected_transaction.transaction_number) = ledger.original_transaction_id;

create temporary table client_invalid_product on commit drop as
select ledger.*
from affected_product
inner join tieout.client_invalid_product as ledger on affected_product.product_id = ledger.product_id;

analyze store_transaction;

analyze delivery_record;

analyze client_transaction;

analyze client_invalid_product
