-- Returns the number of units by the day in the books' time zone and the day in California, by which Apple counts.
--
-- It is empty while the ledger contains no report of Apple. `entry` says what the units are: `sold`, `unlisted` (sold,
-- of an identifier that the catalogue does not contain), `free`, `refunded`, `upgraded`, and what is no sale:
-- `restored`, `family_shared` and `other_environment`. Entries are of one quantity and one amount each, so their sums
-- are exact. What is free or no sale has the price source `free`. An unknown value is the empty text, because keys
-- cannot contain null.
with

moved as (

    select
        sale.sold_on as day,
        (family.purchased_at at time zone 'America/Los_Angeles')::date as pacific_day,
        case
            when sale.disposition = 'free' then 'free'
            when sale.product_state = 'unknown' then 'unlisted'
            else 'sold'
        end as entry,
        sale.disposition = 'free' as is_free,
        sale.product_id,
        sale.storefront,
        sale.currency,
        sale.price_source,
        sale.quantity,
        sale.amount
    from sale
    inner join family using (environment, family_key)
    union all
    select
        sale.refunded_on,
        (family.refunded_at at time zone 'America/Los_Angeles')::date,
        case when sale.is_upgrade then 'upgraded' else 'refunded' end,
        sale.disposition = 'free',
        sale.product_id,
        sale.storefront,
        sale.currency,
        sale.price_source,
        sale.quantity,
        -- An upgrade gives nothing back, as in revenue.csv.
        case when sale.is_upgrade then sale.amount * 0 else sale.refund end
    from sale
    inner join family using (environment, family_key)
    where sale.refunded_on is not null
    union all
    select
        (member.purchased_at at time zone night.time_zone)::date,
        (member.purchased_at at time zone 'America/Los_Angeles')::date,
        member.disposition,
        true,
        member.product_id,
        member.storefront,
        null,
        'none',
        member.quantity,
        null
    from member
    cross join night
    where member.disposition in ('restored', 'family_shared', 'other_environment')

)

select
    moved.day,
    moved.pacific_day,
    moved.entry,
    moved.product_id,
    country_code(moved.storefront) as country,
    case when moved.is_free then '' else coalesce(moved.currency, '') end as currency,
    case when moved.is_free then 'free' else moved.price_source end as price_source,
    moved.quantity,
    case when moved.is_free then 0 else coalesce(trim_scale(moved.amount), 0) end as amount,
    count(*) as entries
from moved
where exists (select from apple_report)
group by 1, 2, 3, 4, 5, 6, 7, 8, 9
