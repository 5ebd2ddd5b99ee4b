-- Returns the published runs whose results no command has reported, the earliest first. Their commands were killed
-- before that, or could not print their summaries.
--
-- Gives  run_id, day
select
    run_id,
    to_char(as_of_on::timestamp, 'YYYY-MM-DD') as day
from tieout.run
where outcome = 'done' and is_published and not is_reported
order by run_id
