-- Returns one row for each identifier that any catalogue ever listed.
--
-- If catalogues contradict each other, the value that sorts first counts. A value that no catalogue gives is null or
-- the default of docs/inbox.md.
select
    catalogue_fact.product_id,
    -- Null if no record names it.
    (
        select recorded_product.product_number
        from recorded_product
        where recorded_product.product_id = catalogue_fact.product_id
    ) as product_number,
    min(catalogue_fact.value) filter (where catalogue_fact.member = 'type') as type,
    coalesce(
        min(catalogue_fact.value) filter (where catalogue_fact.member = 'delivery'), 'server'
    ) as delivery,
    coalesce(
        min(catalogue_fact.value) filter (where catalogue_fact.member = 'delivery_per'),
        'purchase'
    ) as delivery_per,
    make_interval(
        hours => (
            min(case when catalogue_fact.member = 'grace_hours' then catalogue_fact.value::numeric end)
        )::integer
    ) as grace,
    min(case when catalogue_fact.member = 'valid_from' then catalogue_fact.value::timestamptz end)
        as valid_from,
    min(case when catalogue_fact.member = 'valid_to' then catalogue_fact.value::timestamptz end)
        as valid_to,
    bool_or(catalogue_fact.member = 'offered_by_app') as is_offered_by_app,
    bool_or(catalogue_fact.member = 'known_to_store') as is_known_to_store,
    coalesce(
        min(catalogue_fact.value) filter (where catalogue_fact.member = 'for_sale') = 'true',
        false
    ) as is_sold_by_store
from catalogue_fact
where
    catalogue_fact.member <> 'price'
    -- Values under the empty identifier are about no product.
    and catalogue_fact.product_id <> ''
group by catalogue_fact.product_id
