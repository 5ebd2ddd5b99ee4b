-- Creates the function that explains the differences between the ledger and Apple's reports.

-- The rows of tie_out.csv: ours, Apple's (`theirs`) and what explains the difference. No row while there is no report.
create function tie_out(as_of timestamptz, since date)
returns table (
    kind text,
    period_begin date,
    period_end date,
    state text,
    product_id text,
    country text,
    currency text,
    has_money boolean,
    ours numeric,
    theirs numeric,
    cut_off numeric,
    refund_cut_off numeric,
    restored numeric,
    free numeric,
    family_shared numeric,
    other_environment numeric,
    upgrades numeric,
    invalid_identifier numeric,
    only_here numeric,
    only_apple numeric,
    not_yet_processed numeric,
    unexplained numeric,
    ours_amount numeric,
    theirs_amount numeric,
    cut_off_amount numeric,
    refund_cut_off_amount numeric,
    upgrades_amount numeric,
    invalid_identifier_amount numeric,
    only_here_amount numeric,
    only_apple_amount numeric,
    not_yet_processed_amount numeric,
    estimated_amount numeric,
    unpriced_amount numeric,
    price_amount numeric,
    unexplained_amount numeric,
    -- The refunded units in ours and theirs, in which sales and refunds cancel.
    ours_refunded numeric,
    theirs_refunded numeric,
    -- The units in ours whose price is not known.
    ours_unpriced numeric
)
language plpgsql stable parallel safe
as $$
#variable_conflict use_column
begin
    -- The query is planned only where there is something to compare.
    if not exists (select from apple_report) then
        return;
    end if;
    return query
    with

    entry as (

        select
            entry.*,
            entry.is_in_pacific::integer - entry.is_in_books::integer as shift,
            -- Without a price of its own.
            entry.is_counted and entry.price_source in ('none', 'catalogue') as is_estimated,
            case when entry.entry in ('apple', 'daily') then entry.unit_price end as their_price
        from tie_out_entry(tie_out.as_of, tie_out.since) as entry

    ),

    added as (

        select
            kind,
            period_begin,
            period_end,
            state,
            product_id,
            country,
            currency,
            bool_or(is_daily) as is_daily,
            bool_or(entry in ('apple', 'daily')) as is_there,
            bool_or(is_sale and is_in_pacific) as is_here,
            currency <> '' and bool_and(amount is not null) as has_money,
            coalesce(bool_or(is_estimated and price_source = 'none'), false) as is_unpriced,
            coalesce(bool_or(is_estimated), false) as is_estimated,
            -- All units have one price here and another one there, or in daily reports.
            coalesce(
                min(unit_price) filter (where is_counted) = max(unit_price) filter (where is_counted)
                and (
                    min(unit_price) filter (where entry = 'apple') = max(unit_price) filter (where entry = 'apple')
                    and sum(units) filter (where entry = 'apple') > 1
                    or not bool_or(entry = 'apple')
                    and min(their_price) = max(their_price) and sum(units) filter (where entry = 'daily') > 1
                ),
                false
            ) as is_of_one_price,
            -- Apple's prices of a unit that was sold, or else refunded.
            coalesce(min(their_price) filter (where units > 0), min(their_price), 0) as low_price,
            coalesce(max(their_price) filter (where units > 0), max(their_price), 0) as high_price,
            coalesce(sum(units) filter (where is_estimated and not is_refund), 0) as estimated_sold,
            coalesce(sum(units) filter (where is_estimated and is_refund), 0) as estimated_refunded,
            coalesce(sum(amount) filter (where is_estimated), 0) as estimate,
            coalesce(sum(units) filter (where is_in_books and entry <> 'upgraded'), 0) as ours,
            coalesce(
                sum(units) filter (where is_in_books and entry <> 'upgraded' and price_source = 'none'), 0
            ) as ours_unpriced,
            coalesce(sum(units) filter (where entry in ('apple', 'apple_restored')), 0) as theirs,
            -coalesce(sum(units) filter (where is_in_books and is_refund), 0) as ours_refunded,
            -coalesce(sum(units) filter (where entry = 'apple' and units < 0), 0) as theirs_refunded,
            coalesce(sum(units * shift) filter (where entry in ('sold', 'unlisted', 'free')), 0) as cut_off,
            coalesce(sum(units * shift) filter (where is_refund), 0) as refund_cut_off,
            coalesce(sum(units) filter (where entry = 'apple_restored'), 0)
            - coalesce(sum(units) filter (where is_in_books and entry = 'restored'), 0) as restored,
            -- A Financial Report contains no free units.
            -coalesce(sum(units) filter (where kind = 'financial' and is_counted and price_source = 'free'), 0) as free,
            -coalesce(sum(units) filter (where is_in_books and entry = 'family_shared'), 0) as family_shared,
            -coalesce(sum(units) filter (where is_in_books and entry = 'other_environment'), 0) as other_environment,
            coalesce(sum(units) filter (where is_in_pacific and entry = 'upgraded'), 0) as upgraded,
            coalesce(sum(units) filter (where is_in_pacific and is_unlisted), 0) as unlisted,
            coalesce(sum(units) filter (where entry = 'daily'), 0) as daily,
            coalesce(sum(amount) filter (where is_in_books), 0) as ours_amount,
            coalesce(sum(amount) filter (where entry = 'apple'), 0) as theirs_amount,
            coalesce(sum(amount * shift) filter (where entry in ('sold', 'unlisted')), 0) as cut_off_amount,
            coalesce(sum(amount * shift) filter (where is_refund), 0) as refund_cut_off_amount,
            coalesce(sum(amount) filter (where is_in_pacific and is_unlisted), 0) as unlisted_amount,
            coalesce(sum(amount) filter (where entry = 'daily'), 0) as daily_amount
        from entry
        group by kind, period_begin, period_end, state, product_id, country, currency

    ),

    -- What is left after the causes that our own records show.
    rest as (

        select
            *,
            case when is_there then 0 else -unlisted end as invalid_identifier,
            theirs - (
                ours + cut_off + refund_cut_off + restored + free + family_shared + other_environment
                - case when is_there then 0 else unlisted end
            ) as units_before,
            case when is_there then 0 else -unlisted_amount end as invalid_identifier_amount,
            theirs_amount - (
                ours_amount + cut_off_amount + refund_cut_off_amount
                - case when is_there then 0 else unlisted_amount end
            ) as amount_left
        from added

    ),

    -- Apple takes back the unit of some upgrades, not of all.
    settled as (

        select
            rest.*,
            late.*,
            case when is_there then greatest(upgraded, least(0, units_before - not_yet_processed)) else 0 end
                as upgrades
        from rest
        cross join lateral tie_out_late(
            is_there and is_here and is_daily, theirs - daily, theirs_amount - daily_amount, units_before, amount_left
        ) as late

    ),

    told as (

        select
            *,
            units_before - upgrades - not_yet_processed as units_rest,
            amount_left - not_yet_processed_amount as amount_rest,
            case
                when not is_there then 'only_here'
                when not is_here then 'only_apple'
                when
                    is_of_one_price and not is_estimated and upgrades = 0
                    and units_before = not_yet_processed
                    then 'price'
                else 'split'
            end as cause
        from settled

    ),

    explained as (

        select
            told.*,
            case when cause = 'only_here' then units_rest else 0 end as only_here,
            case when cause = 'only_apple' then units_rest else 0 end as only_apple,
            case when cause in ('only_here', 'only_apple') then 0 else units_rest end as unexplained,
            case when cause = 'only_here' then amount_rest else 0 end as only_here_amount,
            case when cause = 'only_apple' then amount_rest else 0 end as only_apple_amount,
            case when cause = 'price' then amount_rest else 0 end as price_amount,
            case when cause = 'split' then part.upgraded else 0 end as upgrades_amount,
            case when cause = 'split' and not is_unpriced then part.estimated else 0 end as estimated_amount,
            case when cause = 'split' and is_unpriced then part.estimated else 0 end as unpriced_amount,
            case when cause = 'split' then part.unexplained else 0 end as unexplained_amount
        from told
        cross join lateral tie_out_split(
            amount_rest,
            units_rest,
            low_price,
            high_price,
            -- Nobody knows which part of an estimated price Apple refunded.
            estimated_sold * low_price + estimated_refunded * high_price - estimate,
            estimated_sold * high_price - estimate,
            upgrades
        ) as part

    )

    select
        kind,
        period_begin,
        period_end,
        state,
        product_id,
        country,
        currency,
        has_money,
        ours,
        theirs,
        cut_off,
        refund_cut_off,
        restored,
        free,
        family_shared,
        other_environment,
        upgrades,
        invalid_identifier,
        only_here,
        only_apple,
        not_yet_processed,
        unexplained,
        ours_amount,
        theirs_amount,
        cut_off_amount,
        refund_cut_off_amount,
        upgrades_amount,
        invalid_identifier_amount,
        only_here_amount,
        only_apple_amount,
        not_yet_processed_amount,
        estimated_amount,
        unpriced_amount,
        price_amount,
        unexplained_amount,
        ours_refunded,
        theirs_refunded,
        ours_unpriced
    from explained;
end
$$
