-- Returns the night that was judged last, if tonight can use what it carried forward; otherwise no row.
--
-- The same program must have carried it forward, with the same settings for judging, as of no later instant.
--
-- Takes  $1: tonight's run_id; $2: the fingerprint of tonight's program
-- Gives  run_id, is_of_same_as_of
select
    judged.run_id,
    earlier.as_of = tonight.as_of as is_of_same_as_of
from judged
inner join run as earlier on judged.run_id = earlier.run_id
inner join run as tonight on tonight.run_id = $1::bigint
where
    judged.fingerprint = $2
    and earlier.as_of <= tonight.as_of
    and settings_of_judgement(earlier.settings) = settings_of_judgement(tonight.settings)
