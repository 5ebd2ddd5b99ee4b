-- Replaces the names in one report of an app. If another one then says the same, only that one remains.
--
-- Takes  $1: the hash of the report.
--        $2: its new hash.
--        $3, $4: the new texts of account_id and device_id.
with

opened as (

    update open_record
    set content_hash = $2::bigint
    where kind = 'client_invalid_product' and content_hash = $1::bigint

),

same as (

    select
    from client_invalid_product
    where content_hash = $2::bigint and content_hash <> $1::bigint

),

removed as (

    delete from client_invalid_product
    where content_hash = $1::bigint and exists (select from same)

)

update client_invalid_product
set
    content_hash = $2::bigint,
    account_id = $3,
    device_id = $4
where content_hash = $1::bigint and not exists (select from same)
