-- Returns the runs that published their reports, or whose reports this run published, and of which no command has said
-- what they found. The command was killed before it could, the earliest first.
--
-- Gives  run_id, day
select
    run_id,
    to_char(as_of_on::timestamp, 'YYYY-MM-DD') as day
from tieout.run
where outcome = 'done' and is_published and not is_told
order by run_id
