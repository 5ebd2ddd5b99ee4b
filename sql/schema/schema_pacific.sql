-- Creates the functions that say which of our transactions are compared with Apple's reports.

-- One row for each judged transaction and for each refund, with the day in the books' time zone and the day in
-- California, by which Apple counts. No row while the ledger contains no report of Apple.
--
-- `entry` says what it is: `sold`, `unlisted` (sold, of an identifier that the catalogue does not contain, if there is
-- one), `free`, `refunded`, `unlisted_refunded`, `upgraded`, and what is no sale: `restored`, `family_shared` and
-- `other_environment`. What is free or no sale has the price source `free`. An unknown country or currency is the empty
-- text. If evidence names no storefront, a list price is left out: Apple reports the country and the currency of the
-- customer.
create function pacific_entry()
returns table (
    environment text,
    transaction_id text,
    -- When it was purchased or refunded.
    at timestamptz,
    day date,
    pacific_day date,
    entry text,
    product_id text,
    country text,
    currency text,
    price_source text,
    quantity bigint,
    amount numeric
)
language plpgsql stable parallel safe
as $$
#variable_conflict use_column
begin
    if not exists (select from apple_report) then
        return;
    end if;
    return query
    with priced as not materialized (
        select
            sale.*,
            not sale.is_storefront_named and sale.price_source = 'catalogue' as has_assumed_price,
            -- Without a catalogue, nothing says which identifiers are wrong.
            sale.product_state = 'unknown' and exists (select from product) as is_unlisted,
            -- Apple states no currency for a free unit. It is free as well if the list price is 0.
            sale.disposition = 'free'
            or sale.is_storefront_named and coalesce(sale.price_source = 'catalogue' and sale.amount = 0, false)
                as is_free
        from sale
    )

    select
        moved.environment,
        moved.transaction_id,
        moved.at,
        moved.day,
        moved.pacific_day,
        moved.entry,
        moved.product_id,
        country_code(moved.storefront),
        case when moved.is_free then '' else coalesce(moved.currency, '') end,
        case when moved.is_free then 'free' else moved.price_source end,
        moved.quantity,
        case when moved.is_free then 0 else coalesce(trim_scale(moved.amount), 0) end
    from (
        select
            sale.environment,
            identifier_text(sale.transaction_number),
            sale.purchased_at,
            sale.sold_on,
            (sale.purchased_at at time zone apple_time_zone())::date,
            case
                when sale.disposition = 'free' then 'free'
                when sale.is_unlisted then 'unlisted'
                else 'sold'
            end,
            sale.is_free,
            sale.product_id,
            case when sale.is_storefront_named then sale.storefront end,
            case when not sale.has_assumed_price then sale.currency end,
            case when sale.has_assumed_price then 'none' else sale.price_source end,
            sale.quantity,
            case when not sale.has_assumed_price then sale.amount end
        from priced as sale
        union all
        select
            sale.environment,
            identifier_text(sale.transaction_number),
            sale.refunded_at,
            sale.refunded_on,
            (sale.refunded_at at time zone apple_time_zone())::date,
            case
                when sale.is_upgrade then 'upgraded'
                when sale.disposition <> 'free' and sale.is_unlisted then 'unlisted_refunded'
                else 'refunded'
            end,
            sale.is_free,
            sale.product_id,
            case when sale.is_storefront_named then sale.storefront end,
            case when not sale.has_assumed_price then sale.currency end,
            case when sale.has_assumed_price then 'none' else sale.price_source end,
            sale.quantity,
            -- An upgrade gives nothing back, as in revenue.csv.
            case
                when sale.has_assumed_price then null
                when sale.is_upgrade then sale.amount * 0
                else sale.refund
            end
        from priced as sale
        where sale.refunded_on is not null
        union all
        select
            unsold.environment,
            unsold.transaction_id,
            unsold.purchased_at,
            (unsold.purchased_at at time zone night.time_zone)::date,
            (unsold.purchased_at at time zone apple_time_zone())::date,
            unsold.disposition,
            true,
            unsold.product_id,
            unsold.storefront,
            null,
            'none',
            unsold.quantity,
            null
        from (
            select
                environment,
                transaction_id,
                purchased_at,
                disposition,
                product_id,
                storefront,
                quantity
            from member
            union all
            select
                environment,
                identifier_text(transaction_number),
                purchased_at,
                disposition,
                product_id,
                storefront,
                quantity
            from matched
        ) as unsold
        cross join night
        where unsold.disposition in ('restored', 'family_shared', 'other_environment')
    ) as moved (
        environment, transaction_id, at, day, pacific_day, entry, is_free, product_id, storefront, currency,
        price_source, quantity, amount
    );
end
$$;

-- Whether an entry is part of a sale, so that it counts on Apple's day too.
create function is_sale_entry(entry text) returns boolean
language sql immutable parallel safe
return entry not in ('restored', 'family_shared', 'other_environment')
