-- Returns one row for each finding that a filter selects, the worst and oldest first.
--
-- Takes  tieout.listed: a JSON object with rules, levels, statuses and products (arrays; an empty one selects all),
--        older_than (days) and limit (numbers, or null).
--
-- An age is the number of days from the day that first flagged the finding to the as-of day of the newest night. A
-- finding is about a product if its key names the product, or if the transaction, delivery or purchases that its key
-- names are of the product.
with

asked as materialized (

    select
        array(select jsonb_array_elements_text(filter -> 'rules')) as rules,
        array(select jsonb_array_elements_text(filter -> 'levels')) as levels,
        array(select jsonb_array_elements_text(filter -> 'statuses')) as statuses,
        array(select jsonb_array_elements_text(filter -> 'products')) as products,
        (filter ->> 'older_than')::integer as older_than,
        (filter ->> 'limit')::bigint as most
    from (select current_setting('tieout.listed')::jsonb as filter) as given

),

newest as (

    select as_of_on
    from run
    where outcome = 'done' and not is_of_past_day
    order by
        as_of desc,
        run_id desc
    limit 1

),

candidate as materialized (

    select
        finding.finding_id,
        finding.name,
        finding.rule,
        finding.level,
        finding.status,
        finding.environment,
        finding.key,
        -- The workers of a cluster cannot look up the number of an identifier.
        identifier_number((finding.key).transaction_id) as transaction_number,
        finding.subject,
        finding.reason,
        finding.detail,
        finding.first_flagged_on,
        coalesce(newest.as_of_on - finding.first_flagged_on, 0) as age_days
    from asked
    cross join finding
    left join newest on true
    where
        (cardinality(asked.rules) = 0 or finding.rule = any(asked.rules))
        and (cardinality(asked.levels) = 0 or finding.level = any(asked.levels))
        and (cardinality(asked.statuses) = 0 or finding.status = any(asked.statuses))
        and (
            asked.older_than is null
            or coalesce(newest.as_of_on - finding.first_flagged_on, 0) > asked.older_than
        )

),

-- The purchases that a set of accounts shares. The two kinds of names are looked up separately, because a join with an
-- alternative would compare each finding with each set.
set_family as materialized (

    select
        candidate.finding_id,
        family.environment,
        family.family_key
    from candidate
    inner join carried_shared_family as family on (candidate.key).account_ids = family.names
    where family.namespace = ''
    union all
    select
        candidate.finding_id,
        family.environment,
        family.family_key
    from candidate
    inner join carried_shared_family as family on (candidate.key).account_tokens = family.names
    where family.namespace <> ''

),

-- The same with the number of the line item, which is looked up here: the workers of a cluster cannot do that.
shared as materialized (

    select
        finding_id,
        environment,
        family_key,
        case when family_key like 'w %' then identifier_number(substr(family_key, 3)) end as line_item_number
    from set_family

),

asked_product as materialized (

    select unnest(asked.products) collate "C" as product_id
    from asked

),

of_product as materialized (

    select candidate.finding_id
    from candidate
    inner join asked_product on (candidate.key).product_id = asked_product.product_id
    union
    -- The product of a transaction: as evidence, a delivery record or an app names it.
    select candidate.finding_id
    from asked_product
    cross join candidate
    inner join store_transaction
        on candidate.environment = store_transaction.environment
        and candidate.transaction_number = store_transaction.transaction_number
        and asked_product.product_id = store_transaction.product_id
    union
    select candidate.finding_id
    from asked_product
    cross join candidate
    inner join delivery_record
        on candidate.transaction_number = delivery_record.transaction_number
        and asked_product.product_id = delivery_record.product_id
    union
    select candidate.finding_id
    from asked_product
    cross join candidate
    inner join client_transaction
        on (candidate.key).transaction_id = client_transaction.transaction_id
        and asked_product.product_id = client_transaction.product_id
    union
    select candidate.finding_id
    from asked_product
    cross join candidate
    inner join delivery_record
        on (candidate.key).delivery_id = delivery_record.delivery_id
        and asked_product.product_id = delivery_record.product_id
    union
    select shared.finding_id
    from asked_product
    cross join shared
    inner join store_transaction
        on shared.environment = store_transaction.environment
        and shared.line_item_number = store_transaction.line_item_number
        and asked_product.product_id = store_transaction.product_id
    union
    select shared.finding_id
    from asked_product
    cross join shared
    where
        shared.family_key like 'o %'
        and regexp_replace(shared.family_key, '^o [^ ]* ', '') = asked_product.product_id
        -- Its last part is an instant.
        or shared.family_key like 'd %'
        and regexp_replace(shared.family_key, '^d [^ ]* (.*) [^ ]*$', '\1') = asked_product.product_id

)

select
    candidate.name as finding,
    candidate.rule,
    candidate.level,
    candidate.status,
    candidate.age_days,
    candidate.first_flagged_on,
    candidate.environment,
    candidate.subject,
    finding_subject(shown_key(candidate.key)) as shown_subject,
    candidate.reason,
    (candidate.key).product_reason is not null as is_reason_in_subject,
    candidate.detail,
    acknowledgement.acknowledged_by,
    csv_instant(acknowledgement.acknowledged_at) as acknowledged_at,
    acknowledgement.until_on as acknowledged_until,
    acknowledgement.because,
    acknowledgement.acknowledged_system_user,
    acknowledgement.acknowledged_role,
    row_number() over (
        order by
            severity(candidate.level),
            candidate.first_flagged_on,
            candidate.rule,
            candidate.subject,
            candidate.environment
    ) as place,
    count(*) over () as findings
from candidate
left join acknowledgement
    on candidate.finding_id = acknowledgement.finding_id and acknowledgement.ended_because is null
where
    (select cardinality(products) from asked) = 0
    or candidate.finding_id in (select finding_id from of_product)
order by place
limit (select most from asked)
