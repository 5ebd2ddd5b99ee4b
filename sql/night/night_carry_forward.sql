-- Records that the next night can build on what this night carries forward.
--
-- Takes  $1: the run_id of this night; $2: the fingerprint of its program
insert into judged (run_id, fingerprint) values ($1::bigint, $2)
on conflict (is_the_only_one) do update
    set run_id = excluded.run_id, fingerprint = excluded.fingerprint
