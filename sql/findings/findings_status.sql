-- Acknowledges an open finding, or reopens an acknowledged one.
--
-- Takes  $1: finding_id; $2: the new status, acknowledged or reopened
-- Gives  level. No row: the finding has resolved, or is not acknowledged, and has not changed.
update finding
set status = $2
where
    finding_id = $1::bigint
    and case $2 when 'acknowledged' then status <> 'resolved' else status = 'acknowledged' end
returning level
