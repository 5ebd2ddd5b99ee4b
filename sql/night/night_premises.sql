-- Returns what a load must not change if only the affected records are judged: each judgement depends on it.
--
-- Gives  books_begin, has_catalogue, has_reports: whether there is a report of Apple
select
    (select begin_at from books) as books_begin,
    exists (select from product) as has_catalogue,
    exists (select from apple_report) as has_reports
