-- Transactions to be merged again because the setting `trust` has changed since the last night: those with
-- unsigned evidence. Run only then, before tonight's evidence is counted.
--
-- Leaves behind  touched_transaction, for load_merge.sql.
create temporary table touched_transaction on commit drop as
select distinct
    environment,
    transaction_id
from evidence
where trust <> 'signed';

analyze touched_transaction
