-- Replaces the names in one queue entry. If another one then says the same, only that one remains.
--
-- Takes  $1: the place of the row.
--        $2: the new hash of the statement.
--        $3, $4: the new texts of account_id and device_id.
with

one as (

    select
        ctid as place,
        statement_hash
    from client_transaction
    where ctid = $1::tid

),

same as (

    select other.statement_hash
    from client_transaction as other
    inner join one on other.ctid <> one.place
    where other.statement_hash = $2::uuid

),

opened as (

    update open_statement
    set statement_hash = $2::uuid
    from one
    where open_statement.kind = 'client_transaction' and open_statement.statement_hash = one.statement_hash

),

removed as (

    delete from client_transaction
    where ctid = $1::tid and exists (select from same)

)

update client_transaction
set
    statement_hash = $2::uuid,
    account_id = $3,
    device_id = $4
where ctid = $1::tid and not exists (select from same)
