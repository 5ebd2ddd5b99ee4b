-- Returns one row for each explained transaction whose latest attempt failed in an outage: in that hour (UTC), attempts
-- failed on the same server for three accounts or more. It names the first and the last of these deliveries.
--
-- A record counts only if no other record of its delivery applies instead, such as a later one that is delivered.
--
-- Takes  placed_record (carried_placed_record.sql) of explain_outage_record.sql
-- Gives  environment, transaction_id, accounts, first_delivery_id, last_delivery_id
select
    failure.asked_environment as environment,
    failure.asked_transaction_id as transaction_id,
    count(distinct failure.account_id) as accounts,
    min(failure.delivery_id) as first_delivery_id,
    max(failure.delivery_id) as last_delivery_id
from placed_record as failure
cross join night
where failure.own_environment = any(night.environments) and failure.is_standing
group by failure.asked_environment, failure.asked_transaction_id
having count(distinct failure.account_id) >= 3
