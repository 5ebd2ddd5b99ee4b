-- Creates temporary tables with all transactions and delivery records of a ledger that is distributed.
--
-- They hide the tables of the ledger, as affected_ledger.sql does with a part of it, so that a night that judges
-- everything joins tables of the coordinator only.

create temporary table store_transaction on commit drop as
select *
from tieout.store_transaction;

create temporary table delivery_record on commit drop as
select *
from tieout.delivery_record;

analyze store_transaction;

analyze delivery_record
