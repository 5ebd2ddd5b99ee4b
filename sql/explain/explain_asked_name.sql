-- Returns one row: the explained name, as a device or as any other name.
--
-- Takes  tieout.explained, tieout.explained_as: device if it is one
-- Gives  name: missing if it is a device; device_id: missing if it is none
select
    case when not given.is_device then given.name end as name,
    case when given.is_device then given.name end as device_id
from (
    select
        current_setting('tieout.explained') collate "C" as name,
        coalesce(current_setting('tieout.explained_as', true) = 'device', false) as is_device
) as given
