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
    source.line
from explained_name
inner join member on explained_name.name = member.transaction_id
inner join attempt
    on member.environment = attempt.environment
    and member.obligation_key = attempt.obligation_key
left join lateral (
    select
        input_file.path,
        delivery_record.line
    from delivery_record
    inner join input_file using (file_id)
    where
        delivery_record.delivery_id = attempt.delivery_id
        and delivery_record.occurred_at = attempt.occurred_at
        and delivery_record.status = attempt.status
    order by input_file.path, delivery_record.line
    limit 1
) as source
    on true
where not member.is_claimed
order by
    length(member.transaction_id),
    member.transaction_id,
    member.environment,
    attempt.occurred_at,
    attempt.delivery_id
