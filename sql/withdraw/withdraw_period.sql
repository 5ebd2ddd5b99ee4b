-- Returns one row for each closed period in whose amounts records of a file count: purchases and refunds that its
-- evidence shows, and list prices of products about which it has catalogue facts.
--
-- Takes  $1: the file's SHA-256 in hexadecimal digits.
with

file as (

    select array_agg(file_id) as ids
    from input_file
    where sha256 = decode($1, 'hex')

),

entry as (

    select carried_entry.day
    from stored_evidence
    inner join carried_entry using (transaction_number, environment_code)
    where stored_evidence.file_id = any((select ids from file)::integer[])
    union
    select carried_entry.day
    from catalogue_fact
    inner join recorded_product on catalogue_fact.product_id = recorded_product.product_id
    inner join carried_entry on recorded_product.product_number = carried_entry.product_number
    where
        catalogue_fact.file_id = any((select ids from file)::integer[])
        and catalogue_fact.member = 'price'
        and carried_entry.price_source_code = price_source_code('catalogue')
        and exists (select 1 from period_closing)

)

select
    period_closing.period,
    period_state.state
from period_closing
inner join period_state on period_closing.closing_id = period_state.closing_id
where
    period_closing.reopened_at is null
    and exists (
        select 1
        from entry
        where entry.day between period_closing.first_day and period_closing.last_day
    )
order by period_closing.first_day
