-- Returns one row for each closing that was not reopened; at most one for a period.
--
-- Takes  $1: the period, or null for all.
select
    closing_id,
    period,
    closing,
    prepared_by,
    pack_sha256
from period_closing
where period = coalesce($1, period) and reopened_at is null
order by closing_id
