-- Returns whether the ledger, or its affected part, has enough transactions for separating the chains to take less time
-- than judging all of them by the rules.
--
-- Takes  $1: the largest number of transactions for which it is not worthwhile
-- Gives  is_worthwhile
select exists (select from store_transaction offset $1::bigint) as is_worthwhile
