-- Returns liabilities.csv: what was paid for and not delivered, and what of the subscriptions is not yet earned, at the
-- end of each month and at as-of.
--
-- The months are those since the month of revenue_since; in the pack of a closing, those that end in its period. Of
-- unearned money, opening + sold - earned - refunded = closing, and the closing of a month is the opening of the next;
-- `balanced` asserts both. A price is earned by days, from the day of the purchase to the day before it expires. A row
-- of unearned money whose numbers are all zero is left out, such as that of an upgrade after the subscription has
-- expired. The select list is the CSV header.
--
-- Takes     tieout.closing: the id of the closing, empty for a night
--
-- Kind      statement
-- Edition   yes
-- Sheet     without totals
-- Rule      none
-- Identity  liability, period_end, product_id, currency, price_source, state, age
-- As-of     period_end (except its month)
with

period as (

    select
        month.begins_at::date as begins_on,
        least((month.begins_at + interval '1 month' - interval '1 day')::date, night.as_of_on) as ends_on
    from night
    left join period_closing as closing
        on nullif(current_setting('tieout.closing', true), '')::integer = closing.closing_id
    cross join lateral generate_series(
        date_trunc('month', coalesce(closing.first_day, night.revenue_since)::timestamp),
        coalesce(closing.last_day, night.as_of_on)::timestamp,
        interval '1 month'
    ) as month (begins_at)
    where
        closing.closing_id is null
        or (month.begins_at + interval '1 month' - interval '1 day')::date <= closing.last_day

),

-- The terms that end in one of the months or later. Most terms of a long history are not read.
term as materialized (

    select
        carried_term.*,
        -- A catalogue may write 5 for 5.00.
        greatest(carried_term.amount_scale, currency_digits(carried_term.currency)) as digits,
        greatest(carried_term.expires_on - carried_term.starts_on, 1) as days
    from carried_term
    where
        carried_term.expires_on >= (select min(period.begins_on) from period)
        or carried_term.ended_on < 'infinity'
        and carried_term.ended_on >= (select min(period.begins_on) from period)

),

-- The terms at both ends of each month in which something of them happens.
point as (

    select
        period.begins_on,
        period.ends_on,
        term.product_number,
        term.currency,
        term.price_source_code,
        term.units,
        term.amount,
        term.refund,
        term.starts_on >= period.begins_on as is_sold,
        term.ended_on between period.begins_on and period.ends_on as is_ended,
        term.starts_on + term.days - 1 > period.ends_on and term.ended_on > period.ends_on as is_running,
        -- What was earned before the month and by its end, if nothing ended the term.
        round(
            term.amount * least(greatest(period.begins_on - term.starts_on, 0), term.days) / term.days,
            term.digits
        ) as earned_before,
        round(
            term.amount * least(period.ends_on - term.starts_on + 1, term.days) / term.days,
            term.digits
        ) as earned_by_end,
        term.starts_on < period.begins_on and term.ended_on >= period.begins_on as is_open_before,
        term.ended_on > period.ends_on as is_open_at_end
    from period
    inner join term
        on
            term.starts_on <= period.ends_on
            and (
                term.starts_on + term.days > period.begins_on and term.ended_on >= period.begins_on
                or term.ended_on between period.begins_on and period.ends_on
            )

),

unearned as (

    select
        begins_on,
        ends_on,
        product_number,
        currency,
        price_source_code,
        sum(case when is_running then units else 0 end) as units,
        sum(case when is_open_before then amount - earned_before else amount * 0 end) as opening,
        sum(case when is_sold then amount else amount * 0 end) as sold,
        -- A term that is ended has earned what is not given back.
        sum(
            case when is_ended then amount - refund else earned_by_end end
            - earned_before
        ) as earned,
        -- A refund of a later month can have more decimal places, which no earlier month shows.
        sum(case when is_ended then refund else amount * 0 end) as refunded,
        sum(case when is_open_at_end then amount - earned_by_end else amount * 0 end) as closing
    from point
    group by begins_on, ends_on, product_number, currency, price_source_code

),

chained as (

    select
        unearned.*,
        case
            -- The first month has no closing before it in the report, so its own opening is used.
            when begins_on = (select min(begins_on) from period) then opening
            when lag(ends_on) over chain = begins_on - 1 then lag(closing) over chain
            else 0
        end as closing_before
    from unearned
    window chain as (partition by product_number, currency, price_source_code order by begins_on)

),

-- The groups by age: whole days since the purchase, from first_day to last_day.
age_group as (

    select *
    from (
        values
        (1, 0, 30, 'to 30 days'),
        (2, 31, 60, '31 to 60 days'),
        (3, 61, 90, '61 to 90 days'),
        (4, 91, null, 'over 90 days')
    ) as listed (place, first_day, last_day, label)

),

-- What was not settled by the end of the first month. The rest is in no month, and in a long history it is the most.
unsettled as materialized (

    select carried_owed.*
    from carried_owed
    where
        carried_owed.settled_on is null
        or carried_owed.settled_on > (select min(period.ends_on) from period)

),

owed as (

    select
        period.ends_on,
        owed.product_id,
        owed.currency,
        owed.price_source,
        case
            when owed.settled_on is not null and owed.is_served_first then 'delivered_later'
            when owed.settled_on is not null then 'refunded_later'
            when missing.reason = 'no_records' then 'uncertain'
            when missing.reason is not null then 'missing'
            else 'not_due'
        end as state,
        age.place as age_place,
        age.label as age,
        owed.quantity,
        owed.amount
    from period
    inner join unsettled as owed
        on owed.owed_from <= period.ends_on and coalesce(owed.settled_on > period.ends_on, true)
    inner join age_group as age
        on period.ends_on - owed.purchased_on >= age.first_day
        and coalesce(period.ends_on - owed.purchased_on <= age.last_day, true)
    left join carried_missing_delivery as missing using (environment, obligation_key)

),

balance as (

    select
        'owed' as liability,
        ends_on,
        product_id,
        currency,
        price_source,
        state,
        min(age_place) as age_place,
        age,
        sum(quantity) as units,
        null::numeric as opening,
        null::numeric as sold,
        null::numeric as earned,
        null::numeric as refunded,
        sum(amount) as closing
    from owed
    group by ends_on, product_id, currency, price_source, state, age
    union all
    select
        'unearned',
        ends_on,
        recorded_product.product_id,
        currency,
        price_source_name(price_source_code),
        null,
        null,
        null,
        units,
        balanced(opening, closing_before, 'The opening of liabilities.csv'),
        sold,
        earned,
        refunded,
        balanced(closing, opening + sold - earned - refunded, 'The closing of liabilities.csv')
    from chained
    inner join recorded_product using (product_number)

)

select
    balance.liability,
    to_char(balance.ends_on, 'YYYY-MM-DD') as period_end,
    csv_text(balance.product_id) as product_id,
    csv_text(balance.currency) as currency,
    balance.price_source,
    balance.state,
    balance.age,
    balance.units,
    balance.opening,
    balance.sold,
    balance.earned,
    balance.refunded,
    balance.closing
from balance
where
    balance.liability = 'owed'
    or 0 <> any(array[balance.units, balance.opening, balance.sold, balance.earned, balance.refunded, balance.closing])
order by
    balance.liability,
    balance.ends_on,
    balance.product_id,
    balance.currency,
    balance.price_source,
    balance.state,
    balance.age_place
