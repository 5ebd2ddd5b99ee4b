-- Replaces the names in one report of an app. If another one then says the same, only that one remains.
--
-- Takes  $1: the hash of the report.
--        $2: its new hash.
--        $3, $4: the new texts of account_id and device_id.
with

opened as (

    update open_record
    set content_hash = $2::uuid
    where kind = 'client_invalid_product' and content_hash = $1::uuid

),

same as (

    select
    from client_invalid_product
    where content_hash = $2::uuid and content_hash <> $1::uuid

),

removed as (

    delete from client_invalid_product
    where content_hash = $1::uuid and exists (select from same)

)

update client_invalid_product
set
    content_hash = $2::uuid,
    account_id = $3,
    device_id = $4
where content_hash = $1::uuid and not exists (select from same)
