-- Returns the values that every judgement depends on. If a load changes one of them, it is not enough to judge the
-- affected records.
--
-- Gives  books_begin, has_catalogue, has_reports: whether there is a report of Apple
select
    (select begin_at from books) as books_begin,
    exists (select from product) as has_catalogue,
    exists (select from apple_report) as has_reports
