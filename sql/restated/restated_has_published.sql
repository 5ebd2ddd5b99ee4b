-- Returns one row: whether a month that has ended was published.
--
-- Takes  $1: the month, YYYY-MM; null: any month.
-- Gives  has_published
select
    exists (
        select
        from standing_month
        where $1::text is null or to_char(month::timestamp, 'YYYY-MM') = $1::text
    ) as has_published
