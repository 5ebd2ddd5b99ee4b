-- Finds the missing deliveries whose reason tonight can change although they are not affected: the log has new records
-- of their time, a server has become silent or is no longer silent at that time, or another server served their
-- product in the days before.
--
-- Takes          difference_log_hour, difference_source_product, changed_silent_hour.
-- Leaves behind  touched_missing
create temporary table touched_missing on commit drop as
select
    missing.environment,
    missing.obligation_key,
    missing.subject,
    missing.product_id,
    missing.purchased_at,
    missing.due_at,
    missing.reason
from carried_missing_delivery as missing
where
    missing.reason in ('never_attempted', 'no_records')
    and (
        exists (
            select
            from difference_log_hour as changed
            where
                changed.hour between missing.purchased_at - interval '1 hour' and missing.due_at
        )
        or exists (
            select
            from changed_silent_hour
            where
                changed_silent_hour.hour > missing.purchased_at - interval '1 hour'
                and changed_silent_hour.hour <= missing.due_at
        )
        or exists (
            select
            from difference_source_product as changed
            where
                changed.product_id = missing.product_id
                and is_serving_day(changed.day, (missing.purchased_at at time zone 'UTC')::date)
        )
    );

analyze touched_missing
