-- Lists the transactions that must be merged again because a token has replaced a name in their evidence.
--
-- Takes         forgotten: name, token.
-- Leaves behind touched_transaction, for load_merge.sql.
create temporary table touched_transaction on commit drop as
select distinct
    environment_code,
    transaction_number
from stored_evidence
where
    account_id in (select forgotten.token from forgotten)
    or device_id in (select forgotten.token from forgotten)
    or account_token in (select forgotten.token from forgotten);

analyze touched_transaction
