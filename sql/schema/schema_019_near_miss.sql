-- Near misses: deliveries that would have served a purchase if one field of them were another. They are
-- shown and never joined: nothing is found, resolved or counted by them.

-- The ways in which an identifier comes out of a spreadsheet, a program or a hand: with a zero or an
-- apostrophe in front, as a decimal number, in the other case. Each of them gives the same list; any other
-- text gives none.
create function spellings(id text) returns text[]
language sql immutable parallel safe
begin atomic
    select case when spellings.id = any(listed.ids) then listed.ids else '{}' end
    from (
        select array[plain.id, '0' || plain.id, '''' || plain.id, plain.id || '.0', upper(plain.id)] as ids
        from (
            select
                lower(regexp_replace(ltrim(ltrim(spellings.id, ''''), '0'), '\.0$', '') collate "C") as id
        ) as plain
    ) as listed;
end;

-- What is looked up by account: a purchase's near misses, and what `tieout explain` tells of an account.
create index delivery_record_account on delivery_record (account_id, product_id, occurred_at)
where account_id is not null;
create index evidence_account on evidence (account_id, purchased_at)
where account_id is not null;

alter table carried_missing_delivery
    add column near_miss_delivery_id text collate "C",
    add column near_miss_differs text collate "C";

-- What a night finds the near misses by that its deliveries may change.
create index carried_missing_delivery_account on carried_missing_delivery (account_id, product_id);
create index carried_missing_delivery_transaction on carried_missing_delivery (transaction_id);

-- The near misses of a purchase that nothing was delivered for, the best first: delivered deliveries, as they
-- stand at as-of, that differ from what was owed in one thing.
--
--   product_id      the transaction is the right one, the product is another
--   environment     transaction and product are the right ones, in another environment
--   transaction_id  the right product in the right environment, under the same id written otherwise, or to
--                   the same account within a day of the purchase under an id that no evidence knows
--   other_purchase  the same, under an id that evidence knows as another purchase: weaker
--
-- Among equals the id with the fewest different characters, then the nearest in time. All of it is looked
-- up by index, and of an account the forty nearest in time at most: everybody's guest account has thousands.
-- The tables are named in full: a night that judges a part of them looks here into all of them.
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

    candidate as (

        select
            same.*,
            true as is_same_id
        from tieout.delivery_record as same
        where
            same.transaction_id = any(near_misses.transaction_id || spellings(near_misses.transaction_id))
            and same.status = 'delivered'
            and same.occurred_at <= near_misses.as_of
        union all
        (
            select
                later.*,
                false
            from tieout.delivery_record as later
            where
                later.account_id = near_misses.account_id
                and later.product_id = near_misses.product_id
                and later.occurred_at >= near_misses.purchased_at
                and later.occurred_at <= least(near_misses.purchased_at + interval '24 hours', near_misses.as_of)
                and later.status = 'delivered'
                and later.transaction_id
                <> all(near_misses.transaction_id || spellings(near_misses.transaction_id))
            order by later.occurred_at, later.delivery_id, later.statement_hash
            limit 20
        )
        union all
        (
            select
                earlier.*,
                false
            from tieout.delivery_record as earlier
            where
                earlier.account_id = near_misses.account_id
                and earlier.product_id = near_misses.product_id
                and earlier.occurred_at < near_misses.purchased_at
                and earlier.occurred_at >= near_misses.purchased_at - interval '24 hours'
                and earlier.status = 'delivered'
                and earlier.transaction_id
                <> all(near_misses.transaction_id || spellings(near_misses.transaction_id))
            order by earlier.occurred_at desc, earlier.delivery_id, earlier.statement_hash
            limit 20
        )

    ),

    placed as (

        select
            candidate.*,
            -- As every delivery (judge_delivery.sql), by the App Store's environments.
            coalesce(
                candidate.environment,
                case when known.is_in_sandbox and not known.is_elsewhere then 'Sandbox' else 'Production' end
            ) as own_environment,
            known.is_here as is_known
        from candidate
        -- The record that stands at as-of, in the order of judge_delivery.sql.
        cross join lateral (
            select record.statement_hash
            from tieout.delivery_record as record
            where
                record.delivery_id = candidate.delivery_id
                and record.occurred_at <= near_misses.as_of
            order by
                record.occurred_at desc,
                record.status,
                length(record.transaction_id),
                record.transaction_id,
                record.product_id,
                record.environment nulls first,
                length(record.original_transaction_id) nulls first,
                record.original_transaction_id nulls first,
                length(record.web_order_line_item_id) nulls first,
                record.web_order_line_item_id nulls first,
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
            from tieout.store_transaction as told
            where
                told.environment = any(array['Production', 'Sandbox', 'Xcode', 'LocalTesting', near_misses.environment])
                and told.transaction_id = candidate.transaction_id
                -- Purchased by as-of, as judge_considered_transaction.sql has it.
                and (
                    told.first_purchased_at <= near_misses.as_of
                    or told.transaction_id = told.original_transaction_id
                    and told.first_original_purchased_at <= near_misses.as_of
                    and coalesce(
                        coalesce(
                            (
                                select min(listed.value)
                                from tieout.catalogue_statement as listed
                                where listed.product_id = told.product_id and listed.member = 'type'
                            ),
                            told.product_type
                        ) <> 'auto_renewable',
                        told.expires_at is null and told.web_order_line_item_id is null
                    )
                )
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
