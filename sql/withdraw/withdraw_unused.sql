-- Marks the files of a withdrawn content of which no record was ever used. The tables contain nothing from them, so
-- they do not count from now on, and the tables do not have to be built again.
--
-- A file with a record that was used is left to the rebuild. The condition is that of rebuild_file.sql.
--
-- Takes  $1: the file's SHA-256 in hexadecimal digits.
-- Gives  is_marked: whether there is such a file
with

reading as (

    select
        input_file.file_id,
        input_file.folder,
        input_file.records,
        input_file.is_unusable,
        input_file.is_used
    from input_file
    inner join withdrawal on input_file.sha256 = withdrawal.sha256
    where input_file.sha256 = decode($1, 'hex') and withdrawal.undone_at is null

),

rejected as (

    select
        one.file_id,
        sum(one.records) as records
    from (
        select
            file_id,
            kind,
            1 as records
        from rejection
        where file_id in (select reading.file_id from reading)
        union all
        select
            file_id,
            kind,
            records
        from rejection_rest
        where file_id in (select reading.file_id from reading)
    ) as one
    where one.kind not in ('file', 'transaction')
    group by one.file_id

),

-- The file may have been read several times.
unused as (

    select reading.folder
    from reading
    left join rejected using (file_id)
    group by reading.folder
    having not bool_or(
        coalesce(reading.is_used, not reading.is_unusable and reading.records > coalesce(rejected.records, 0))
    )

),

marked as (

    update input_file
    set is_withdrawn = true
    from reading
    inner join unused using (folder)
    where input_file.file_id = reading.file_id and not input_file.is_withdrawn
    returning input_file.file_id

),

noted as (

    update inbox_path
    set
        file_id = null,
        withdrawn_sha256 = decode($1, 'hex')
    from marked
    where inbox_path.file_id = marked.file_id

)

select exists (select from marked) as is_marked
