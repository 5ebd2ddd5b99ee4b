-- Checks the months that tonight changed: what was published, and every change since then, add up to what is known now.
--
-- `balanced` fails if a sum does not agree.
--
-- Takes  restated_line (restated_line.sql) of the months of restated_moved.sql
select
    balanced(
        coalesce(sum(units) filter (where is_now), 0),
        coalesce(sum(units) filter (where not is_now), 0),
        'The restated number of ' || kind || ' units of ' || product_id || ' in ' || to_char(month, 'YYYY-MM')
    ),
    balanced(
        coalesce(sum(amount) filter (where is_now), 0),
        coalesce(sum(amount) filter (where not is_now), 0),
        'The restated amount of ' || kind || ' units of ' || product_id || ' in ' || to_char(month, 'YYYY-MM')
    )
from restated_line
group by month, product_id, currency, price_source, kind
