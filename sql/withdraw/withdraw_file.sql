-- Marks a file so that it never counts again, unless it is withdrawn already.
--
-- Takes  $1: its SHA-256 in hexadecimal digits.
--        $2: its path.
--        $3: its size in bytes; null if it was never seen.
--        $4: the reason.
--        $5: the person.
insert into withdrawal (sha256, path, bytes, because, withdrawn_by)
values (decode($1, 'hex'), $2, $3::bigint, $4, $5)
on conflict (sha256) where undone_at is null do nothing
