-- Returns one row for each closing, with the checksum of its pack.
select
    period,
    closing,
    pack_sha256
from period_closing
