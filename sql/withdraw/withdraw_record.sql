-- Returns one row for each kind of record that a file was the first to contain, with the number of its records.
--
-- Takes  $1: the file's SHA-256 in hexadecimal digits.
with

file as (

    select array_agg(file_id) as ids
    from input_file
    where sha256 = decode($1, 'hex')

),

counted as (

    select 1 as place, 'documents' as kind, count(*) as records
    from document
    where file_id = any((select ids from file)::integer[])
    union all
    select 2 as place, 'pieces of evidence' as kind, count(*) as records
    from stored_evidence
    where file_id = any((select ids from file)::integer[])
    union all
    select 3 as place, 'delivery records' as kind, count(*) as records
    from stored_delivery
    where file_id = any((select ids from file)::integer[])
    union all
    select 4 as place, 'catalogue facts' as kind, count(*) as records
    from catalogue_fact
    where file_id = any((select ids from file)::integer[])
    union all
    select 5 as place, 'queue entries' as kind, count(*) as records
    from client_transaction
    where file_id = any((select ids from file)::integer[])
    union all
    select 6 as place, 'reports of apps' as kind, count(*) as records
    from client_invalid_product
    where file_id = any((select ids from file)::integer[])
    union all
    select 7 as place, 'acknowledgements' as kind, count(*) as records
    from acknowledgement
    where file_id = any((select ids from file)::integer[])
    union all
    select 8 as place, 'rows of Apple''s reports' as kind, count(*) as records
    from apple_report_row
    where file_id = any((select ids from file)::integer[])

)

select
    kind,
    records
from counted
where records > 0
order by place
