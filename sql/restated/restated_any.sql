-- Returns one row: whether an edition has published an ended month, so that later nights are compared with it.
select exists (select from published_month) as has_published
