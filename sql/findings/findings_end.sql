-- Ends the acknowledgement that a finding has, if it has one.
--
-- Takes  $1: finding_id; $2: why it ends; $3: the person; $4: the reason, or null; $5: the system's user
update acknowledgement
set
    ended_because = $2,
    ended_by = $3,
    ended_note = $4,
    ended_at = clock_timestamp(),
    ended_system_user = $5,
    ended_role = session_user
where finding_id = $1::bigint and ended_because is null
