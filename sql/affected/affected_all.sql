-- Returns the number of all transactions of the ledger, as the planner estimates it.
--
-- Gives  transactions
select sum(reltuples)::bigint as transactions
from pg_class
where oid in ('tieout.lone_evidence'::regclass, 'tieout.merged_transaction'::regclass)
