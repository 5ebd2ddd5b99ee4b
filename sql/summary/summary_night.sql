-- Returns one row: the numbers of the summary that are not counts of findings by rule.
--
-- Takes  $1: the run_id of tonight
-- Gives  resolved: findings; transactions: those that are considered; books_begin; has_catalogue
select
    (select count(*) from finding_event where run_id = $1::bigint and event = 'resolved') as resolved,
    (select coalesce(sum(value), 0) from carried_total where section = 'disposition') as transactions,
    (select csv_instant(begin_at) from books) as books_begin,
    exists (select from product) as has_catalogue
