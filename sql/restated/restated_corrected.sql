-- Inserts the corrections of what was published or closed wrong. Their cause is `error_corrected`.
--
-- Takes  correction (restated_correction.sql)
insert into restated_entry (
    run_id, environment, transaction_id, kind, is_added, day, product_id, currency, price_source, cause, units, amount
)
select
    night.run_id,
    '',
    '',
    correction.kind,
    correction.units > 0 or (correction.units = 0 and correction.amount > 0),
    correction.day,
    correction.product_id,
    correction.currency,
    correction.price_source,
    'error_corrected',
    correction.units,
    correction.amount
from correction
cross join night
