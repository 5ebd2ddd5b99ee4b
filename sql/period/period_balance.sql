-- Checks that each amount of the closed periods is in exactly one of them: the own amounts of a period and the
-- adjustments of later ones add up to what is known now about its days.
--
-- `balanced` fails if a sum does not agree.
select
    balanced(
        units_now,
        units_closed,
        'The number of ' || kind || ' units of ' || product_id || ' in the closed period ' || period
    ),
    balanced(
        amount_now,
        amount_closed,
        'The amount of ' || kind || ' units of ' || product_id || ' in the closed period ' || period
    )
from (
    -- The message is the same each time.
    select *
    from period_difference
    order by period, product_id, currency, price_source, kind
    limit 1
) as difference
