-- Returns one row: whether the setting `trust` differs from that of the run before; no row on a first night.
select night.trust <> coalesce(earlier.settings ->> 'trust', 'apple_response') as has_changed
from night
inner join run as earlier on night.run_id > earlier.run_id
where earlier.outcome = 'done'
order by earlier.run_id desc
limit 1
