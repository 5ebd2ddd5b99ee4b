-- Returns no row: in psql the rules judge every chain.
--
-- During a night that judges in bulk, the temporary table `matched` has one row for each transaction of the chains
-- in which no rule can find anything (match/). These chains are only counted and summed.
select
    null::text collate "C" as environment,
    null::bigint as transaction_number,
    null::bigint as original_number,
    null::text collate "C" as product_id,
    null::text collate "C" as product_type,
    null::bigint as quantity,
    null::timestamptz as purchased_at,
    null::timestamptz as expires_at,
    null::boolean as is_trial,
    null::boolean as is_offer,
    null::numeric as price,
    null::text collate "C" as currency,
    null::text collate "C" as storefront,
    null::text collate "C" as trust,
    null::boolean as is_configured,
    -- Whether it is the completed purchase of its family.
    null::boolean as is_completed,
    null::text collate "C" as disposition,
    -- One delivery serves the whole chain, and another purchase is the first.
    null::boolean as is_served_by_chain,
    null::text collate "C" as delivery,
    null::timestamptz as due_at,
    -- The delivery that was made for it. Null if there was none.
    null::timestamptz as delivered_at,
    null::text collate "C" as server,
    null::text collate "C" as region,
    null::text collate "C" as app_version
where false
