-- Replaces the function for possible matches (schema_near_miss.sql) on a cluster, whose workers hold the deliveries.
--
-- It brings the few records that it compares to the coordinator first, each kind with one query; a join of them on the
-- workers is impossible, because they share no transaction. The order and the ranks are those of schema_near_miss.sql.
create or replace function tieout.near_misses(
    environment text,
    transaction_id text,
    product_id text,
    account_id text,
    purchased_at timestamptz,
    as_of timestamptz
) returns table (
    place bigint,
    differs text,
    delivery_id text,
    delivered_environment text,
    delivered_transaction_id text,
    delivered_product_id text,
    delivered_account_id text,
    server text,
    occurred_at timestamptz,
    file_id integer,
    line bigint
)
language plpgsql stable
as $$
#variable_conflict use_column
declare
    numbers bigint [] := array(
        select identifier_number(spelled.id)
        from unnest(near_misses.transaction_id || spellings(near_misses.transaction_id)) as spelled (id)
    );
    owed integer := (
        select recorded_product.product_number
        from tieout.recorded_product
        where recorded_product.product_id = near_misses.product_id
    );
    of_account text := '
        select *
        from tieout.delivery_record
        where
            hashtext(account_id) = hashtext($1)
            and hashtext(status || product_number::text) = hashtext(''delivered'' || $2::text)
            and account_id = $1
            and product_number = $2
            and occurred_at between $3 and $4
            and status = ''delivered''
            and transaction_number = any($5) is not true';
    one tieout.delivery_record;
    purchase tieout.store_transaction;
    same tieout.delivery_record [];
    near tieout.delivery_record [];
    told_records tieout.delivery_record [];
    purchases tieout.store_transaction [];
begin
    -- A cluster takes the parameters of a query in a function only with `execute`.
    for one in execute '
        select *
        from tieout.delivery_record
        where transaction_number = any($1) and status = ''delivered'' and occurred_at <= $2'
        using numbers, near_misses.as_of
    loop
        same := same || one;
    end loop;
    if near_misses.account_id is not null and owed is not null then
        for one in execute of_account || ' order by occurred_at, statement_hash limit 20'
            using
                near_misses.account_id, owed, near_misses.purchased_at,
                least(near_misses.purchased_at + near_miss_span(), near_misses.as_of), numbers
        loop
            near := near || one;
        end loop;
        for one in execute of_account || ' and occurred_at < $4 order by occurred_at desc, statement_hash desc limit 20'
            using
                near_misses.account_id, owed, near_misses.purchased_at - near_miss_span(),
                near_misses.purchased_at, numbers
        loop
            near := near || one;
        end loop;
    end if;
    if same is null and near is null then
        return;
    end if;
    for one in execute 'select * from tieout.delivery_record where delivery_id = any($1) and occurred_at <= $2'
        using array(select named.delivery_id from unnest(same || near) as named), near_misses.as_of
    loop
        told_records := told_records || one;
    end loop;
    for purchase in execute 'select * from tieout.store_transaction where transaction_number = any($1)'
        using array(select named.transaction_number from unnest(same || near) as named)
    loop
        purchases := purchases || purchase;
    end loop;
    return query
    with

    candidate as (

        select
            one.*,
            true as is_same_id
        from unnest(same) as one
        union all
        select
            one.*,
            false
        from unnest(near) as one

    ),

    placed as (

        select
            candidate.*,
            own_environment(candidate.environment, known.is_in_sandbox and not known.is_elsewhere) as own_environment,
            known.is_here as is_known
        from candidate
        -- The record that applies at as-of, in the order of judge_delivery.sql.
        cross join lateral (
            select record.statement_hash
            from unnest(told_records) as record
            where
                record.delivery_id = candidate.delivery_id
                and record.occurred_at <= near_misses.as_of
            order by
                record.revision desc,
                record.occurred_at desc,
                record.status,
                identifier_order(record.transaction_id),
                record.product_id,
                record.environment nulls first,
                identifier_order(record.original_transaction_id) nulls first,
                identifier_order(record.web_order_line_item_id) nulls first,
                record.account_id nulls first,
                record.device_id nulls first,
                record.server nulls first,
                record.region nulls first,
                record.app_version nulls first,
                record.error nulls first,
                record.bytes nulls first
            limit 1
        ) as standing
        cross join lateral (
            select
                coalesce(bool_or(told.environment = near_misses.environment), false) as is_here,
                coalesce(bool_or(told.environment = 'Sandbox'), false) as is_in_sandbox,
                coalesce(bool_or(told.environment <> 'Sandbox'), false) as is_elsewhere
            -- Each environment by its own look-up: files can name any number of environments.
            from unnest(array['Production', 'Sandbox', 'Xcode', 'LocalTesting', near_misses.environment])
                as place (environment)
            cross join lateral (
                select transaction.*
                from unnest(purchases) as transaction
                where
                    transaction.transaction_number = candidate.transaction_number
                    and transaction.environment = place.environment
                limit 1
            ) as told
            where
                -- The first date is never earlier, so most types are not looked up.
                told.first_purchased_at <= near_misses.as_of
                or purchase_date(
                    told.transaction_number = told.original_number,
                    coalesce(
                        (
                            select min(listed.value)
                            from tieout.catalogue_statement as listed
                            where listed.product_id = told.product_id and listed.member = 'type'
                        ),
                        told.product_type
                    ),
                    told.expires_at,
                    told.line_item_number,
                    told.first_purchased_at,
                    told.first_original_purchased_at
                ) <= near_misses.as_of
        ) as known
        where standing.statement_hash = candidate.statement_hash

    ),

    ranked as (

        select
            placed.*,
            case
                when placed.transaction_id = near_misses.transaction_id
                    then case
                        when
                            placed.product_id <> near_misses.product_id
                            and placed.own_environment = near_misses.environment
                            then 1
                        when
                            placed.product_id = near_misses.product_id
                            and placed.own_environment <> near_misses.environment
                            then 2
                    end
                when
                    placed.product_id = near_misses.product_id
                    and placed.own_environment = near_misses.environment
                    then case when placed.is_same_id then 3 when not placed.is_known then 4 else 5 end
            end as rank
        from placed

    )

    select
        row_number() over (
            order by
                ranked.rank,
                levenshtein(ranked.transaction_id, near_misses.transaction_id),
                abs(extract(epoch from ranked.occurred_at - near_misses.purchased_at)),
                ranked.delivery_id
        ),
        (array['product_id', 'environment', 'transaction_id', 'transaction_id', 'other_purchase'])[ranked.rank],
        ranked.delivery_id,
        ranked.own_environment,
        ranked.transaction_id,
        ranked.product_id,
        ranked.account_id,
        ranked.server,
        ranked.occurred_at,
        ranked.file_id,
        ranked.line
    from ranked
    where ranked.rank is not null;
end
$$
