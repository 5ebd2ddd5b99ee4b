-- Adds to each finding about one purchase what the purchase cost.
update found
set amount = sale.amount, currency = sale.currency
from sale
where
    found.environment = sale.environment
    and found.family_key = sale.family_key
    and sale.amount is not null
