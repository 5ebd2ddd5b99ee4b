-- Records that the reports of a run are published, and in which edition.
--
-- Takes  $1: the number of the run.
--        $2: the number of the edition.
update tieout.run
set
    is_published = true,
    edition = $2::integer
where run_id = $1::bigint
