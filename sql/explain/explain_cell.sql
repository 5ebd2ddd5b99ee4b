-- Returns the facts about a row of tie_out.csv: ours and Apple's, what explains the difference, the rows of Apple's
-- report, and the transactions behind ours.
--
-- Takes  cell_row (explain_cell_row.sql), and the judged relations of the transactions that can be behind it.
-- Gives  the columns of explain_group.sql
with

cell as (

    select *
    from cell_row
    where is_asked

),

-- Each row of Apple's report, and each of our transactions, belongs to one row of tie_out.csv; the function
-- tie_out_entry places them in the same way.
ours as (

    select
        entry.*,
        entry.day between cell.period_begin and cell.period_end as is_in_books,
        entry.pacific_day between cell.period_begin and cell.period_end as is_in_pacific,
        is_sale_entry(entry.entry) as is_sale
    from cell
    inner join pacific_entry() as entry on cell.product_id = entry.product_id
    where
        entry.day between cell.period_begin and cell.period_end and entry.entry <> 'upgraded'
        or cell.state = 'compared'
        and entry.pacific_day between cell.period_begin and cell.period_end
        and is_sale_entry(entry.entry)

),

nowhere as (

    select coalesce(bool_or(ours.country = ''), false) as is_one_place
    from ours
    where ours.is_sale

),

stated as (

    select
        line.*,
        input_file.path
    from cell
    cross join night
    cross join lateral newest_apple_line(night.as_of, cell.period_begin) as line
    inner join input_file on line.file_id = input_file.file_id
    where
        line.kind = cell.kind
        and line.period_begin = cell.period_begin
        and line.period_end = cell.period_end
        and line.product_id = cell.product_id
        and coalesce(line.product_type ~ '^(IA|FI)', true)

),

placed as (

    select
        'ours' as side,
        ours.transaction_id as name,
        ours.at,
        null::text as path,
        null::bigint as line,
        case when nowhere.is_one_place then '' else ours.country end as country,
        ours.currency,
        ours.price_source = 'free' as is_free,
        format(
            '%s %s%s%s%s%s%s',
            ours.entry,
            ours.quantity,
            case
                when ours.price_source in ('free', 'none') or ours.entry = 'upgraded' then ''
                else ' for ' || ours.currency || ' ' || csv_amount(ours.amount, ours.currency)
                    || case when ours.price_source = 'catalogue' then ', list price' else '' end
            end,
            case when ours.country = '' then '' else ', ' || ours.country end,
            case when ours.environment = 'Production' then '' else ', ' || ours.environment end,
            case
                when ours.day <> ours.pacific_day
                    then format(', %s in the books, %s in California', ours.day, ours.pacific_day)
            end,
            case
                when cell.state = 'pending' or ours.is_in_books and (ours.is_in_pacific or not ours.is_sale) then null
                when ours.is_in_books then ': Apple counts it in another period'
                else ': the books count it in another period'
            end
        ) as words
    from ours
    cross join cell
    cross join nowhere
    union all
    select
        'apple',
        coalesce(stated.product_type, stated.kind),
        null,
        stated.path,
        stated.line,
        case when nowhere.is_one_place then '' else coalesce(stated.country, '') end,
        case when stated.amount = 0 then '' else coalesce(stated.currency, '') end,
        coalesce(stated.amount = 0, false),
        concat_ws(
            ', ',
            unit_words(stated.units),
            'customer price ' || stated.currency || ' ' || csv_amount(stated.unit_price, stated.currency),
            stated.country
        )
    from stated
    cross join nowhere

),

belonging as (

    select placed.*
    from placed
    cross join lateral (
        select
            coalesce(max(other.currency), '') as currency,
            coalesce(bool_or(other.currency = placed.currency), false) as has_own
        from cell_row as other
        where other.country = placed.country
    ) as known
    inner join cell
        on placed.country = cell.country
        and cell.currency = case
            when placed.is_free then ''
            when known.has_own and placed.currency <> '' then placed.currency
            else known.currency
        end

),

bridge as (

    select
        part.place,
        part.name,
        concat_ws(
            ', ',
            unit_words(nullif(part.units, 0)),
            case
                when cell.has_money and part.amount <> 0
                    then cell.currency || ' ' || csv_amount(part.amount, cell.currency)
            end
        ) || ': ' || part.meaning as words
    from cell
    cross join lateral (
        values
        (1, 'cut_off', cut_off, cut_off_amount, 'sales whose day in the books is not their day in California'),
        (2, 'refund_cut_off', refund_cut_off, refund_cut_off_amount, 'the same of refunds'),
        (3, 'restored', restored, 0, 'restored transactions, those of Apple less ours'),
        (4, 'free', free, 0, 'free purchases, not in Financial Reports'),
        (5, 'family_shared', family_shared, 0, 'family sharing, which Apple does not report'),
        (6, 'other_environment', other_environment, 0, 'other environments, such as Sandbox'),
        (7, 'upgrades', upgrades, upgrades_amount, 'what Apple gives back because the customer upgraded'),
        (8, 'invalid_identifier', invalid_identifier, invalid_identifier_amount, 'not in the catalogue'),
        (9, 'only_here', only_here, only_here_amount, 'Apple reports no sale or refund in this row'),
        (
            10,
            'only_apple',
            only_apple,
            only_apple_amount,
            'we have no sale or refund in this row, by the day in California'
        ),
        (11, 'not_yet_processed', not_yet_processed, not_yet_processed_amount, 'Sales and Trends states it'),
        (12, 'estimated', 0, estimated_amount, 'Apple has other prices than our list prices, which are estimates'),
        (13, 'unpriced', 0, unpriced_amount, 'we know no price of these units'),
        (14, 'price', 0, price_amount, 'one price here, and another one there'),
        (15, 'unexplained', unexplained, unexplained_amount, 'nothing explains it')
    ) as part (place, name, units, amount, meaning)
    where cell.state = 'compared' and (part.units <> 0 or cell.has_money and part.amount <> 0)

),

worded as (

    select
        max(words) filter (where side = 'ours') as ours,
        max(words) filter (where side = 'apple') as theirs,
        max(words) filter (where side = 'unexplained') as unexplained
    from (
        select
            part.side,
            unit_words(part.units)
            || case
                when cell.has_money then ', ' || cell.currency || ' ' || csv_amount(part.amount, cell.currency)
                else ''
            end as words
        from cell
        cross join lateral (
            values
            ('ours', ours, ours_amount),
            ('apple', theirs, theirs_amount),
            ('unexplained', unexplained, unexplained_amount)
        ) as part (side, units, amount)
    ) as part

),

fact as (

    select
        1 as section_place,
        1::bigint as place,
        'sentence' as section,
        cell.subject as name,
        case cell.kind
            when 'sales_summary' then 'Sales and Trends, Apple''s estimate: '
            else 'Financial Report, what Apple has settled: '
        end
        || case
            when cell.state = 'pending' then format('Apple has not reported these days. We have %s.', worded.ours)
            when cell.theirs = cell.ours and (not cell.has_money or cell.theirs_amount = cell.ours_amount)
                then format('Apple reports what we have, %s.', worded.ours)
            else format(
                'Apple reports %s; we have %s. %s.',
                worded.theirs,
                worded.ours,
                case
                    when (cell.only_apple, cell.only_apple_amount) <> (0, 0)
                        then 'We have no sale or refund in this row, by the day in California'
                    when (cell.only_here, cell.only_here_amount) <> (0, 0)
                        then 'Apple reports no sale or refund in this row'
                    when (cell.unexplained, cell.unexplained_amount) = (0, 0) then 'The difference is explained'
                    else 'Unexplained: ' || worded.unexplained
                end
            )
        end as words,
        null::timestamptz as at,
        null::text as file,
        null::bigint as line
    from cell
    cross join worded
    union all
    select 2, 1, 'finding', finding.name,
        finding_words(finding.level, finding.rule, finding.subject, finding.first_flagged_on, finding.detail),
        null, null, null
    from cell
    inner join finding
        on finding.rule = 'unexplained_difference'
        and finding.subject = cell.subject
        and finding.status <> 'resolved'
    union all
    select 3, bridge.place, 'bridge', bridge.name, bridge.words, null, null, null
    from bridge
    union all
    select
        case belonging.side when 'apple' then 4 else 5 end,
        row_number() over (partition by belonging.side order by belonging.at, belonging.name, belonging.words,
            belonging.path, belonging.line),
        belonging.side,
        belonging.name,
        belonging.words,
        belonging.at,
        belonging.path,
        belonging.line
    from belonging

)

select
    section_place,
    section,
    null as property,
    place,
    200 as length,
    name,
    words,
    null::bigint as missing,
    null::bigint as delivered,
    at,
    file,
    line
from fact
