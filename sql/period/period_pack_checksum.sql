-- Records the checksum of the pack of a closing.
--
-- Takes  $1: the number of the closing.
--        $2: the SHA-256 of the pack's manifest.
update period_closing
set pack_sha256 = $2
where closing_id = $1::integer
