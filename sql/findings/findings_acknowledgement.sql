-- Inserts the acknowledgement of a finding by a person. findings_file_acknowledgement.sql inserts those of tonight's
-- files.
--
-- Takes  $1: finding_id; $2: its name; $3: its level; $4: the reason; $5: the last day, or null; $6: the person;
--        $7: the system's user
insert into acknowledgement (
    finding_id, finding, level, because, until_on, acknowledged_by, acknowledged_at, acknowledged_system_user,
    acknowledged_role
)
values ($1::bigint, $2, $3, $4, $5::date, $6, clock_timestamp(), $7, session_user)
