-- Replaces the names in one report of an app. If another one then says the same, only that one remains.
--
-- Takes  $1: the place of the row.
--        $2: the new hash of the content.
--        $3, $4: the new texts of account_id and device_id.
with

one as (

    select
        ctid as place,
        content_hash
    from client_invalid_product
    where ctid = $1::tid

),

same as (

    select other.content_hash
    from client_invalid_product as other
    inner join one on other.ctid <> one.place
    where other.content_hash = $2::uuid

),

opened as (

    update open_record
    set content_hash = $2::uuid
    from one
    where open_record.kind = 'client_invalid_product' and open_record.content_hash = one.content_hash

),

removed as (

    delete from client_invalid_product
    where ctid = $1::tid and exists (select from same)

)

update client_invalid_product
set
    content_hash = $2::uuid,
    account_id = $3,
    device_id = $4
where ctid = $1::tid and not exists (select from same)
