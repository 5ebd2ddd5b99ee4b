-- Opens a closed period again. A trigger notes the person and the time.
--
-- Takes  $1: the number of the closing.
--        $2: the reason.
update period_closing
set reopened_because = $2
where closing_id = $1::integer
