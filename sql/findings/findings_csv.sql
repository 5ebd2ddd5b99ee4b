-- Returns the rows of findings_list.sql with the columns and texts of a CSV report.
--
-- Takes  listed: what findings_list.sql returns; the program puts that query before this text.
select
    finding,
    rule,
    level,
    status,
    age_days,
    first_flagged_on,
    nullif(environment, '') as environment,
    csv_text(subject) as subject,
    reason,
    csv_text(detail) as detail,
    csv_text(acknowledged_by) as acknowledged_by,
    acknowledged_at,
    acknowledged_until,
    csv_text(because) as because,
    csv_text(acknowledged_system_user) as acknowledged_system_user,
    csv_text(acknowledged_role) as acknowledged_role
from listed
order by place
