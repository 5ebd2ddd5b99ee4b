-- Creates the function for possible matches: deliveries that would have served a purchase if one of their fields had
-- another value. They are shown and never joined: no finding or count depends on them.

-- The possible matches of a purchase without a delivery, the best first: delivered deliveries, according to their
-- records at as-of, that differ in one thing from what was owed.
--
--   product_id      the right transaction, another product
--   environment     the right transaction and product, another environment
--   transaction_id  the right product and environment, under another spelling of the id; or to the same account
--                   within a day of the purchase, under an id that no evidence contains
--   other_purchase  the same under an id that evidence contains as another purchase: weaker
--
-- Equal ones are ordered by the number of different characters of the id, then by their distance in time. Everything
-- is looked up by an index, and of an account at most the forty that are nearest in time are read, also if thousands
-- share an account and a second: a common guest account has thousands. What they are compared with is computed once
-- for each purchase. The tables are named with their schema: a night that judges a part of the ledger searches all
-- of it here.
create function near_misses(
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
language sql stable parallel safe
begin atomic
    with

    own as materialized (

        select
            array(
                select identifier_number(spelled.id)
                from unnest(near_misses.transaction_id || spellings(near_misses.transaction_id)) as spelled (id)
            ) as numbers,
            (
                select owed.product_number
                from tieout.recorded_product as owed
                where owed.product_id = near_misses.product_id
            ) as product_number

    ),

    candidate as (

        select
            same.*,
            true as is_same_id
        from tieout.delivery_record as same
        where
            same.transaction_number = any((select own.numbers from own)::bigint[])
            and same.status = 'delivered'
            and same.occurred_at <= near_misses.as_of
        union all
        (
            select
                later.*,
                false
            from tieout.delivery_record as later
            where
                hashtext(later.account_id) = hashtext(near_misses.account_id)
                and hashtext(later.status || later.product_number::text)
                = (select hashtext('delivered' || own.product_number::text) from own)
                and later.account_id = near_misses.account_id
                and later.product_number = (select own.product_number from own)
                and later.occurred_at >= near_misses.purchased_at
                and later.occurred_at <= least(near_misses.purchased_at + near_miss_span(), near_misses.as_of)
                and later.status = 'delivered'
                and later.transaction_number = any((select own.numbers from own)::bigint[]) is not true
            order by later.occurred_at, later.statement_hash
            limit 20
        )
        union all
        (
            select
                earlier.*,
                false
            from tieout.delivery_record as earlier
            where
                hashtext(earlier.account_id) = hashtext(near_misses.account_id)
                and hashtext(earlier.status || earlier.product_number::text)
                = (select hashtext('delivered' || own.product_number::text) from own)
                and earlier.account_id = near_misses.account_id
                and earlier.product_number = (select own.product_number from own)
                and earlier.occurred_at < near_misses.purchased_at
                and earlier.occurred_at >= near_misses.purchased_at - near_miss_span()
                and earlier.status = 'delivered'
                and earlier.transaction_number = any((select own.numbers from own)::bigint[]) is not true
            order by earlier.occurred_at desc, earlier.statement_hash desc
            limit 20
        )

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
            from tieout.delivery_record as record
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
                from tieout.store_transaction as transaction
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
