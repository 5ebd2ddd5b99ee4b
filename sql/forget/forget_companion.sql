-- Returns one row for each device id and appAccountToken that occurs with a forgotten account and with no other
-- account.
--
-- Only the files that have been loaded are checked. A token that has replaced a name before is left out.
--
-- Takes  forgotten: name, token.
-- Gives  name
with

standing as (

    select account_id, device_id as name from evidence
    union
    select account_id, account_token from evidence
    union
    select account_id, device_id from delivery_record
    union
    select account_id, device_id from client_transaction
    union
    select account_id, device_id from client_invalid_product

)

select name
from standing
where
    name is not null
    and name not in (select forgotten.name from forgotten)
    and name not in (select forgotten_name.token from forgotten_name)
group by name
having
    bool_or(account_id in (select forgotten.name from forgotten))
    and bool_and(account_id is null or account_id in (select forgotten.name from forgotten))
order by name
