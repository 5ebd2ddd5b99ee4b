-- Returns one row for each product identifier that the App Store called invalid, as reported by apps up to as-of.
select
    client_invalid_product.product_id,
    count(*) as reports,
    count(distinct client_invalid_product.device_id) as devices,
    count(distinct client_invalid_product.account_id) as accounts,
    array_agg(distinct client_invalid_product.app_version)
        filter (where client_invalid_product.app_version is not null) as app_versions,
    min(client_invalid_product.reported_at) as first_reported_at,
    max(client_invalid_product.reported_at) as last_reported_at
from client_invalid_product
cross join night
where client_invalid_product.reported_at <= night.as_of
group by client_invalid_product.product_id
