-- What else names a forgotten account: devices and appAccountTokens that stand with it and with no other, as
-- far as files have been loaded. What has become a token before stays that token.
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
