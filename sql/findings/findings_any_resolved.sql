-- Returns whether a finding resolved tonight; otherwise no record has to be searched for.
--
-- Takes  resolved_tonight (findings_live.sql)
-- Gives  has_resolved
select exists (select from resolved_tonight) as has_resolved
