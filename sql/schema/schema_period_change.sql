-- Creates the functions that say how the numbers of some days have changed. The calendar, `tieout periods`, `tieout
-- approve`, the certificates and certificate_withdrawn use them.

-- By how much one number of period.csv and its amount have changed: what was sold, refunded or upgraded of a product,
-- in a currency and with a source of the amounts.
create type changed_number as (
    product_id text collate "C",
    -- sold, refunded or upgraded.
    kind text collate "C",
    currency text collate "C",
    price_source text collate "C",
    units numeric,
    -- Null if no amount is known.
    amount numeric
);

-- What the runs after one run, up to another one, have changed in a range of days, without numbers of which the changes
-- cancel; null if there are none. Without a last run all later runs count.
create function changed_numbers(first_day date, last_day date, after_run bigint, last_run bigint)
returns changed_number[]
language sql stable parallel safe
as $$
    select array_agg(row(product_id, kind, currency, price_source, units, amount)::changed_number)
    from (
        select
            product_id,
            kind,
            currency,
            price_source,
            sum(units) as units,
            sum(amount) as amount
        from restated_entry
        where
            kind <> 'missing'
            and day between changed_numbers.first_day and changed_numbers.last_day
            and run_id > changed_numbers.after_run
            and run_id <= coalesce(changed_numbers.last_run, run_id)
        group by product_id, kind, currency, price_source
        having sum(units) <> 0 or sum(amount) <> 0
    ) as moved
$$;

-- Changes in words, such as: 1 unit, USD 5.00. These are the net sums: sold less refunded. If they are all zero, or if
-- not only sales or only refunds have changed, the sums of each kind follow in brackets.
--
-- units: the net units. amounts: the net amounts of each currency, and what is in brackets. words: all of it. All are
-- null if nothing has changed.
create function change_words(changes changed_number[], out units numeric, out amounts text, out words text)
language sql stable parallel safe
as $$
    with

    part as (

        select
            0 as place,
            '' as kind,
            change.currency,
            change.price_source,
            case change.kind when 'sold' then change.units when 'refunded' then -change.units else 0 end as units,
            case change.kind when 'sold' then change.amount when 'refunded' then -change.amount end as amount
        from unnest(change_words.changes) as change
        union all
        select
            array_position(array['sold', 'refunded', 'upgraded'], change.kind),
            change.kind,
            change.currency,
            change.price_source,
            change.units,
            change.amount
        from unnest(change_words.changes) as change

    ),

    -- List prices that cancel each other make the sum of a currency no estimate.
    sourced as (

        select
            place,
            kind,
            currency,
            price_source,
            count(*) as numbers,
            sum(units) as units,
            sum(amount) as amount
        from part
        group by place, kind, currency, price_source

    ),

    summed as (

        select
            place,
            kind,
            currency,
            sum(numbers) as numbers,
            sum(units) as units,
            sum(amount) as amount,
            bool_or(price_source = 'catalogue') filter (where amount <> 0) as has_list_prices,
            bool_and(price_source = 'catalogue') filter (where amount <> 0) as has_only_list_prices
        from sourced
        group by place, kind, currency

    ),

    worded as (

        select
            place,
            kind,
            sum(numbers) as numbers,
            sum(units) as units,
            string_agg(
                amount_words(currency, amount, has_list_prices, has_only_list_prices), ', ' order by currency
            )
                filter (where currency <> '') as amounts,
            sum(units) = 0 and coalesce(bool_and(amount = 0), true) as is_zero
        from summed
        group by place, kind

    )

    select
        net.units,
        nullif(concat_ws(' ', net.amounts, parts.words), ''),
        unit_words(net.units) || coalesce(', ' || net.amounts, '') || coalesce(' ' || parts.words, '')
    from worded as net
    cross join (
        select
            count(*) as kinds,
            '(' || string_agg(
                kind || ' ' || unit_words(units) || coalesce(', ' || amounts, '')
                || case when is_zero then ', in ' || numbers || ' rows that cancel each other' else '' end,
                '; ' order by place
            )
            || ')' as words
        from worded
        where place > 0
    ) as detail
    cross join lateral (
        select case when net.is_zero or detail.kinds > 1 then detail.words end as words
    ) as parts
    where net.place = 0
$$;

-- Changes in words, by currency and source of the amounts; null if there are none.
create function difference_words(changes changed_number[]) returns text
language sql stable parallel safe
as $$
    select string_agg(line_words.words, '; ' order by line.currency, line.price_source)
    from (
        select
            currency,
            price_source,
            array_agg(change) as changes
        from unnest(difference_words.changes) as change
        group by currency, price_source
    ) as line
    cross join lateral change_words(line.changes) as line_words
$$;

-- Changes as the JSON array `difference` in certificates and packs: one object for each currency and source of the
-- amounts.
create function difference_json(changes changed_number[]) returns text
language sql stable parallel safe
as $$
    select
        coalesce(
            jsonb_agg(
                jsonb_build_object(
                    'currency', currency,
                    'price_source', price_source,
                    'units', coalesce(units_sold, 0) - coalesce(units_refunded, 0),
                    'net', coalesce(csv_amount(net, currency)::text, ''),
                    'units_sold', coalesce(units_sold, 0),
                    'gross', coalesce(csv_amount(gross, currency)::text, ''),
                    'units_refunded', coalesce(units_refunded, 0),
                    'refunds', coalesce(csv_amount(refunds, currency)::text, ''),
                    'units_upgraded', coalesce(units_upgraded, 0),
                    'products', products
                )
                order by currency, price_source
            ),
            '[]'
        )::text
    from (
        select
            currency,
            price_source,
            count(distinct product_id) as products,
            sum(units) filter (where kind = 'sold') as units_sold,
            sum(amount) filter (where kind = 'sold') as gross,
            sum(units) filter (where kind = 'refunded') as units_refunded,
            sum(amount) filter (where kind = 'refunded') as refunds,
            sum(units) filter (where kind = 'upgraded') as units_upgraded,
            sum(case kind when 'sold' then amount when 'refunded' then -amount end) as net
        from unnest(difference_json.changes)
        group by currency, price_source
    ) as line
$$
