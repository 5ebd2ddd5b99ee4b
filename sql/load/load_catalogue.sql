-- Inserts the catalogue facts of tonight's files that the ledger does not contain yet.
--
-- New rows are computed before the insert (load_document.sql).
create temporary table new_catalogue_fact on commit drop as
select distinct on (product_id, member, currency, storefront, price_from, value)
    product_id, member, currency, storefront, price_from, value, file_id, line
from staging_catalogue
where not exists (
    select
    from catalogue_fact
    where
        catalogue_fact.product_id = staging_catalogue.product_id
        and catalogue_fact.member = staging_catalogue.member
        and catalogue_fact.currency = staging_catalogue.currency
        and catalogue_fact.storefront = staging_catalogue.storefront
        and catalogue_fact.price_from = staging_catalogue.price_from
        and catalogue_fact.value = staging_catalogue.value
)
order by product_id, member, currency, storefront, price_from, value, file_id, line;

insert into catalogue_fact (
    product_id, member, currency, storefront, price_from, value, file_id, line
)
select
    product_id, member, currency, storefront, price_from, value, file_id, line
from new_catalogue_fact;

drop table new_catalogue_fact
