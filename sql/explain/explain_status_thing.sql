-- Returns the obligations of the explained transactions, for the search for possible matches
-- (explain_ranked_match.sql) and for superseded records (explain_superseded_delivery.sql).
--
-- Takes  latest_attempt (explain_latest_attempt.sql).
-- Gives  environment, thing_key
select distinct
    environment,
    obligation_key as thing_key
from latest_attempt
