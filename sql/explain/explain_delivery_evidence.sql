-- Returns one row for each delivery on which the status of an explained transaction depends, as of as-of.
--
-- Takes  explained_name (explain_seed.sql).
select
    member.transaction_id,
    member.environment,
    attempt.delivery_id,
    attempt.status,
    attempt.product_id,
    csv_instant(attempt.occurred_at) as occurred_at,
    attempt.server,
    attempt.error,
    source.path as file,
    delivery_record.line
from explained_name
inner join member on explained_name.name = member.transaction_id
inner join attempt
    on member.environment = attempt.environment
    and member.obligation_key = attempt.obligation_key
inner join delivery_record
    on attempt.delivery_id = delivery_record.delivery_id
    and attempt.content_hash = delivery_record.content_hash
left join input_file as source on delivery_record.file_id = source.file_id
where not member.is_claimed
order by
    identifier_order(member.transaction_id),
    member.environment,
    attempt.occurred_at,
    attempt.delivery_id
