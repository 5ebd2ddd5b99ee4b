-- Returns the failed attempts of the hour (UTC) and server in which the latest attempt of an explained transaction
-- failed, if they name an account.
--
-- Takes  latest_attempt (explain_latest_attempt.sql)
-- Gives  the named_record of carried_placed_record.sql, with account_id, and the explained asked_environment and
--        asked_transaction_id
select
    latest_attempt.environment as asked_environment,
    latest_attempt.transaction_id as asked_transaction_id,
    record.delivery_id,
    record.content_hash,
    record.transaction_number,
    record.environment,
    record.account_id
from latest_attempt
cross join night
inner join tieout.delivery_record as record
    on latest_attempt.server = record.server
    and record.occurred_at >= utc_hour(latest_attempt.occurred_at)
    and record.occurred_at < utc_hour(latest_attempt.occurred_at) + interval '1 hour'
where
    latest_attempt.status = 'failed'
    and record.status_code = 'failed'
    and record.account_id is not null
    and record.occurred_at <= night.as_of
