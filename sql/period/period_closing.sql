-- Returns one row for the closing of a period, if the period is closed.
--
-- Takes  $1: the period.
select
    closing_id,
    edition,
    prepared_by,
    pack_sha256
from period_closing
where period = $1 and reopened_at is null
