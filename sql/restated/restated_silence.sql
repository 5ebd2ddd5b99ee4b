-- Inserts how tonight changed the missing deliveries of ended months that are not affected: a silence of the delivery
-- log began or ended, so they are uncertain now, or no longer.
--
-- What fell due after the as-of of the published edition is `after_as_of`, as in restated_change.sql.
--
-- Takes  changed_reason (affected_silence.sql); published_as_of, closed_as_of (restated_start.sql)
insert into restated_entry (
    run_id, environment, transaction_id, kind, is_added, day, product_id, currency, price_source, cause, units, amount
)
with

missing as (

    select
        carried.*,
        (carried.purchased_at at time zone night.time_zone)::date as day
    from carried_missing_delivery as carried
    cross join night

)

select
    night.run_id,
    missing.environment,
    missing.transaction_id,
    'missing',
    side.is_added,
    missing.day,
    missing.product_id,
    coalesce(missing.currency, ''),
    missing.price_source,
    case
        when side.is_added and missing.due_at > coalesce(closed.as_of, published.as_of) then 'after_as_of'
        else 'log_arrived'
    end,
    side.sign * missing.quantity,
    side.sign * missing.amount
from changed_reason
inner join missing
    on changed_reason.environment = missing.environment
    and changed_reason.obligation_key = missing.obligation_key
inner join (values (true, 1, 'no_records'), (false, -1, 'never_attempted')) as side (is_added, sign, reason_before)
    on changed_reason.reason_before = side.reason_before
left join published_as_of as published on date_trunc('month', missing.day::timestamp)::date = published.month
left join closed_as_of as closed on missing.day between closed.first_day and closed.last_day
cross join night
where published.month is not null or closed.as_of is not null
