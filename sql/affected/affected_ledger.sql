-- Creates temporary tables with the affected part of the ledger.
--
-- They have the names of the ledger's tables and hide these, so only this part is judged.
--
-- Takes  present_transaction, present_delivery: the affected names that records of the ledger can have.

create temporary table store_transaction on commit drop as
select ledger.*
from present_transaction
inner join tieout.store_transaction as ledger
    on present_transaction.transaction_number = ledger.transaction_number;

create temporary table delivery_record on commit drop as
select ledger.*
from present_delivery
inner join tieout.delivery_record as ledger on present_delivery.delivery_id = ledger.delivery_id;

create temporary table client_transaction on commit drop as
select ledger.*
from present_transaction
inner join tieout.client_transaction as ledger
    on identifier_text(present_transaction.transaction_number) = ledger.transaction_id
union
select ledger.*
from present_transaction
inner join tieout.client_transaction as ledger
    on identifier_text(present_transaction.transaction_number) = ledger.original_transaction_id;

create temporary table client_invalid_product on commit drop as
select ledger.*
from affected_product
inner join tieout.client_invalid_product as ledger on affected_product.product_id = ledger.product_id;

-- The columns by which these are joined and filtered. Without statistics of a column, the planner assumes that
-- `is null` is rare.
analyze store_transaction (
    transaction_number, transaction_id, environment_code, environment, original_number, original_transaction_id,
    product_number, product_id, product_type, line_item_number, web_order_line_item_id, first_purchased_at,
    cancelled_at, is_refund_questioned, is_suspicious
);

analyze delivery_record (
    delivery_id, transaction_number, transaction_id, environment, product_number, product_id, status, occurred_at,
    original_number, original_transaction_id, line_item_number, web_order_line_item_id, account_id
);

analyze client_transaction;

analyze client_invalid_product
