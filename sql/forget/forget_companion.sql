-- Returns one row for each device id and appAccountToken that occurs with a forgotten account and with no other
-- account.
--
-- A record that names no account, such as a notification of Apple, belongs to the accounts that other records of its
-- transaction name.
--
-- Only the files that have been loaded are checked. A token that has replaced a name before is left out.
--
-- Takes  forgotten: name, token.
-- Gives  name
with

-- The transaction is only needed of records without an account.
named as materialized (

    select
        account_id,
        device_id as name,
        case when account_id is null then environment end as environment,
        case when account_id is null then transaction_number end as transaction_number
    from evidence
    union
    select
        account_id,
        account_token,
        case when account_id is null then environment end,
        case when account_id is null then transaction_number end
    from evidence
    union
    select
        account_id,
        device_id,
        case when account_id is null then environment end,
        case when account_id is null then transaction_number end
    from delivery_record
    union
    select account_id, device_id, null, null
    from client_transaction
    union
    select account_id, device_id, null, null
    from client_invalid_product

),

-- Whether the records of a transaction that name an account name the forgotten one, and whether they name no other.
buyer as materialized (

    select
        environment,
        transaction_number,
        bool_or(is_forgotten) as is_forgotten,
        bool_and(is_forgotten) as is_only_forgotten
    from (
        select environment, transaction_number, account_id in (select forgotten.name from forgotten) as is_forgotten
        from evidence
        where account_id is not null
        union all
        select environment, transaction_number, account_id in (select forgotten.name from forgotten)
        from delivery_record
        where account_id is not null and transaction_number is not null
    ) as account
    group by environment, transaction_number

)

select named.name
from named
-- A delivery can be without an environment.
left join buyer
    on named.transaction_number = buyer.transaction_number
    and coalesce(named.environment = buyer.environment, true)
where
    named.name is not null
    and named.name not in (select forgotten.name from forgotten)
    and named.name not in (select forgotten_name.token from forgotten_name)
group by named.name
having
    bool_or(coalesce(named.account_id in (select forgotten.name from forgotten), buyer.is_forgotten))
    and bool_and(
        coalesce(named.account_id in (select forgotten.name from forgotten), buyer.is_only_forgotten, true)
    )
order by named.name
