-- Returns one row: whether an edition stands for an ended month.
select exists (select from published_month) as has_published
