-- Returns one row for each delivery on which the status of an explained transaction depends, as of as-of.
--
-- Takes  latest_attempt (explain_latest_attempt.sql), status_other (explain_status_other.sql).
with

asked as (

    select
        transaction_id,
        environment,
        obligation_key as thing_key
    from latest_attempt
    union all
    select
        transaction_id,
        environment,
        thing_key
    from status_other
    where thing_key is not null

)

select
    asked.transaction_id,
    asked.environment,
    attempt.delivery_id,
    attempt.status,
    attempt.product_id,
    csv_instant(attempt.occurred_at) as occurred_at,
    attempt.server,
    attempt.error,
    source.path as file,
    delivery_record.line
from asked
inner join attempt
    on asked.environment = attempt.environment
    and asked.thing_key = attempt_thing(attempt.obligation_key, attempt.delivery_id)
inner join delivery_record
    on attempt.delivery_id = delivery_record.delivery_id
    and attempt.content_hash = delivery_record.content_hash
left join input_file as source on delivery_record.file_id = source.file_id
order by
    identifier_order(asked.transaction_id),
    asked.environment,
    attempt.occurred_at,
    attempt.delivery_id
