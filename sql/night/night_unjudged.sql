-- After a run of a past day: the next night judges everything, if the run loaded a file or changed the setting `trust`.
-- The carried relations do not contain what the run changed.
--
-- Takes  $1: the run_id of the run
delete from judged
using run as earlier, run as tonight
where
    judged.run_id = earlier.run_id
    and tonight.run_id = $1::bigint
    and (
        tonight.settings -> 'trust' is distinct from earlier.settings -> 'trust'
        or exists (select from input_file where input_file.run_id = tonight.run_id)
    )
