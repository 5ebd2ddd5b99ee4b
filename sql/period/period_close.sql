-- Records a closing with the numbers of the newest night. Triggers note the person and the time.
--
-- Takes  $1: the period.
--        $2 and $3: its first and its last day.
--        $4: the number of the closing (period_number.sql), or a later one that is free in the reports folder.
insert into period_closing (
    period, first_day, last_day, run_id, closing, prepared_by, prepared_at, pack_sha256
)
select
    $1 as period,
    $2::date as first_day,
    $3::date as last_day,
    night.run_id,
    $4::integer as closing,
    '' as prepared_by,
    now() as prepared_at,
    '' as pack_sha256
from night
returning
    closing_id,
    prepared_by,
    csv_instant(prepared_at) as prepared_at
