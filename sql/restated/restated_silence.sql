-- Inserts how tonight changed the missing deliveries of ended months that are not affected: a silence of the delivery
-- log began or ended, so they are uncertain now, or no longer.
--
-- Takes  changed_reason (affected_silence.sql)
insert into restated_entry (
    run_id, environment, transaction_id, kind, is_added, day, product_id, currency, price_source, cause, units, amount
)
select
    night.run_id,
    missing.environment,
    missing.transaction_id,
    'missing',
    side.is_added,
    (missing.purchased_at at time zone night.time_zone)::date,
    missing.product_id,
    coalesce(missing.currency, ''),
    missing.price_source,
    'log_arrived',
    side.sign * missing.quantity,
    side.sign * missing.amount
from changed_reason
inner join carried_missing_delivery as missing
    on changed_reason.environment = missing.environment
    and changed_reason.obligation_key = missing.obligation_key
inner join (values (true, 1, 'no_records'), (false, -1, 'never_attempted')) as side (is_added, sign, reason_before)
    on changed_reason.reason_before = side.reason_before
cross join night
where
    exists (
        select
        from standing_month
        where
            standing_month.month
            = date_trunc('month', missing.purchased_at at time zone night.time_zone)::date
    )
