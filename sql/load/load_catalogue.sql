-- Inserts the catalogue statements of tonight's files that the ledger does not contain yet.
--
-- New rows are computed before the insert (load_document.sql).
--
-- Leaves behind  new_catalogue_statement: the inserted rows.
create temporary table new_catalogue_statement on commit drop as
select distinct on (product_id, member, currency, storefront, price_from, value)
    product_id, member, currency, storefront, price_from, value, file_id, line
from staging_catalogue
where not exists (
    select
    from catalogue_statement
    where
        catalogue_statement.product_id = staging_catalogue.product_id
        and catalogue_statement.member = staging_catalogue.member
        and catalogue_statement.currency = staging_catalogue.currency
        and catalogue_statement.storefront = staging_catalogue.storefront
        and catalogue_statement.price_from = staging_catalogue.price_from
        and catalogue_statement.value = staging_catalogue.value
)
order by product_id, member, currency, storefront, price_from, value, file_id, line;

insert into catalogue_statement (
    product_id, member, currency, storefront, price_from, value, file_id, line
)
select
    product_id, member, currency, storefront, price_from, value, file_id, line
from new_catalogue_statement
