-- Returns the newest reopened closing of each other period that shares a day with this one: the packs that said
-- something about these days before.
--
-- Takes  tieout.closing: the id of the closing
-- Gives  period, closing (its number) and pack_sha256: its pack; its days; who closed and reopened it, when and why
select distinct on (earlier.first_day, earlier.period)
    earlier.period,
    earlier.closing,
    earlier.pack_sha256,
    earlier.first_day,
    earlier.last_day,
    earlier.prepared_by,
    csv_instant(earlier.prepared_at) as prepared_at,
    earlier.reopened_by,
    csv_instant(earlier.reopened_at) as reopened_at,
    earlier.reopened_because
from period_closing as closing
inner join period_closing as earlier
    on closing.period <> earlier.period
    and closing.first_day <= earlier.last_day
    and closing.last_day >= earlier.first_day
where
    closing.closing_id = current_setting('tieout.closing')::integer
    and earlier.closing_id < closing.closing_id
order by earlier.first_day, earlier.period, earlier.closing_id desc
