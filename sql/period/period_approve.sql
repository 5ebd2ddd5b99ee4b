-- Records an approval with the numbers of the newest night. Triggers note the person and the time, and refuse the
-- person who closed the period.
--
-- Takes  $1: the number of the closing.
--        $2: whether the person who closed it may approve it.
insert into period_approval (closing_id, run_id, is_single_signer, approved_by, approved_at)
select
    $1::integer as closing_id,
    night.run_id,
    $2::boolean as is_single_signer,
    '' as approved_by,
    now() as approved_at
from night
