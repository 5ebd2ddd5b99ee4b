-- Lists the transactions that must be merged again because the setting `trust` has changed since the last night: those
-- with unsigned evidence.
--
-- It runs only after such a change, before tonight's evidence is counted.
--
-- Leaves behind  touched_transaction, for load_merge.sql.

-- A lone piece of evidence is its own merge. An unsigned piece is not lone while only signed evidence counts. A signed
-- piece is not lone if the unsigned pieces about its transaction count again.
update stored_evidence
set is_lone = false
where
    is_lone
    and (
        not is_signed
        or exists (
            select
            from differing_evidence as other
            where
                other.environment_code = stored_evidence.environment_code
                and other.transaction_number = stored_evidence.transaction_number
        )
    );

create temporary table touched_transaction on commit drop as
select distinct
    environment_code,
    transaction_number
from stored_evidence
where not is_signed;

analyze touched_transaction
