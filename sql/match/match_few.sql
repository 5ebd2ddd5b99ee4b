-- Returns whether the exceptions are few enough for judging them alone.
--
-- Takes  matched, exception_hint (match_exception.sql); $1: the largest share of exceptions, in per cent
-- Gives  has_few_exceptions
select
    100 * (select count(*) from matched where original_number in (select chain_number from exception_hint))
    <= $1::bigint * (select count(*) from matched) as has_few_exceptions
