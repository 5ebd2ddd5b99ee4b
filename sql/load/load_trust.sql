-- Lists the transactions that must be merged again because the setting `trust` has changed since the last night: those
-- with unsigned evidence.
--
-- It runs only after such a change, before tonight's evidence is counted.
--
-- Leaves behind  touched_transaction, for load_merge.sql.
create temporary table touched_transaction on commit drop as
select distinct
    environment,
    transaction_id
from evidence
where trust <> 'signed';

analyze touched_transaction
