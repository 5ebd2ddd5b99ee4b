-- Returns one row: the numbers of the summary that are not counts of findings by rule.
--
-- Takes  $1: the run_id of tonight
-- Gives  resolved: findings; transactions: those that are considered; books_begin; has_catalogue; unpriced_storefront:
--        the assumed storefront if catalogues have prices for storefronts, but none for this one; wrong_storefront: the
--        lowest storefront of sales with a list price that is not three capital letters
select
    (select count(*) from finding_event where run_id = $1::bigint and event = 'resolved') as resolved,
    (select coalesce(sum(value), 0) from carried_total where section = 'disposition') as transactions,
    (select csv_instant(begin_at) from books) as books_begin,
    exists (select from product) as has_catalogue,
    (
        select night.assume_storefront
        from night
        where
            exists (select from catalogue_fact where member = 'price' and storefront <> '')
            and not exists (
                select
                from catalogue_fact
                where catalogue_fact.member = 'price' and catalogue_fact.storefront = night.assume_storefront
            )
    ) as unpriced_storefront,
    (
        select min(storefront)
        from carried_revenue
        where price_source = 'catalogue' and storefront <> '' and storefront !~ '^[A-Z]{3}$'
    ) as wrong_storefront
