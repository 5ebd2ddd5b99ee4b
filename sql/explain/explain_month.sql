-- Returns the facts about a month that was published or a period that is closed, or one product or one product and
-- currency of it: which edition stands for it, whether it is closed, and each transaction that changed what the edition
-- says, with a file that contains it.
--
-- Takes  explained_days (explain_explained_days.sql), closed_days (explain_closed_days.sql)
-- Gives  the columns of explain_group.sql
with

published as (

    select *
    from explained_days
    where run_id is not null

),

changed as materialized (

    select
        entry.*,
        row_number() over () as place,
        identifier_number(entry.transaction_id) as transaction_number,
        run.as_of,
        night_before(entry.run_id) as loaded_after
    from published
    inner join restated_entry as entry
        on entry.day >= published.first_day
        and entry.day < published.next_day
        and entry.run_id > published.run_id
    inner join run on entry.run_id = run.run_id
    where
        published.rest is null
        or published.rest in (entry.product_id, entry.product_id || ' ' || entry.currency)

),

named as materialized (

    select distinct transaction_number from changed

),

-- The places of the records of these transactions. A cluster can join each of the large tables with a list of numbers,
-- but cannot look them up for each row.
source as materialized (

    select
        1 as place,
        evidence.transaction_number,
        evidence.environment,
        evidence.file_id,
        evidence.line,
        shows_no_refund(evidence.is_signed_transaction, evidence.cancelled_at, evidence.is_upgraded)
            as is_without_refund,
        evidence.cancelled_at is not null as shows_cause
    from named
    inner join evidence on named.transaction_number = evidence.transaction_number
    union all
    -- Repeated evidence can reverse a refund.
    select
        2,
        evidence.transaction_number,
        evidence.environment,
        evidence.last_file_id,
        null,
        true,
        false
    from named
    inner join evidence on named.transaction_number = evidence.transaction_number
    where
        evidence.last_file_id is not null
        and shows_no_refund(evidence.is_signed_transaction, evidence.cancelled_at, evidence.is_upgraded)
    union all
    select
        0,
        delivery_record.transaction_number,
        delivery_record.environment,
        delivery_record.file_id,
        delivery_record.line,
        false,
        delivery_record.status = 'delivered'
    from named
    inner join delivery_record on named.transaction_number = delivery_record.transaction_number

),

-- For each change the newest file that was loaded before it. A file that was loaded after the edition comes first.
record as materialized (

    select distinct on (changed.place)
        changed.place,
        input_file.path,
        source.line
    from changed
    inner join source using (transaction_number)
    inner join input_file on source.file_id = input_file.file_id
    where
        coalesce(source.environment, changed.environment) = changed.environment
        and case
            when changed.cause = 'refund_reversed' then source.place in (1, 2)
            when changed.kind <> 'missing' or changed.cause = 'refunded' then source.place = 1
            when changed.cause = 'log_arrived'
                then source.place = 0 and input_file.run_id > (select published.run_id from published)
            else source.place in (0, 1)
        end
        and input_file.run_id <= changed.run_id
        and (
            changed.cause <> 'refund_reversed'
            or source.is_without_refund and changed.loaded_after < input_file.run_id
        )
    order by
        changed.place,
        input_file.run_id <= (select published.run_id from published),
        source.place,
        -- A refund is in the evidence that has its date, and a delivery ends a missing one.
        (changed.cause = 'refunded' or changed.cause = 'log_arrived' and not changed.is_added)
        and not source.shows_cause,
        input_file.file_id desc,
        source.line desc

),

-- A correction names a month and no transaction.
corrected as (

    select correction.*
    from published
    inner join month_correction as correction
        on published.first_day <= correction.month
        and published.next_day >= (correction.month + interval '1 month')::date
        and published.run_id = correction.corrected_run_id
    where
        published.rest is null
        or published.rest in (correction.product_id, correction.product_id || ' ' || correction.currency)

),

counted as (

    select
        (select count(distinct (changed.environment, changed.transaction_id)) from changed) as transactions,
        (select count(*) from corrected) > 0 as is_corrected

),

caused as (

    -- List prices that cancel each other make the sum of a currency no estimate.
    select
        cause,
        kind,
        currency,
        price_source,
        sum(units) as units,
        sum(amount) as amount
    from (
        select cause, kind, currency, price_source, units, amount
        from changed
        union all
        select 'error_corrected', kind, currency, price_source, units, amount
        from corrected
    ) as entry
    group by cause, kind, currency, price_source

),

fact as (

    select
        1 as section_place,
        1::bigint as place,
        'sentence' as section,
        published.name,
        concat(
            format(
                '%s was %s the edition %s. Since then %s.',
                published.name,
                case
                    when published.closing_id is null then 'last published in'
                    else 'closed with the numbers of'
                end,
                published.edition,
                concat_ws(
                    ', and ',
                    case counted.transactions
                        when 0 then case when not counted.is_corrected then 'nothing has changed it' end
                        when 1 then 'one transaction has changed it'
                        else counted.transactions || ' transactions have changed it'
                    end,
                    case when counted.is_corrected then 'an error in it was corrected' end
                )
            ),
            case when published.rest is null then ' ' || closed_days.words end
        ) as words,
        null::timestamptz as at,
        null as file,
        null::bigint as line
    from published
    cross join closed_days
    cross join counted
    union all
    select
        2,
        row_number() over (order by caused.cause, caused.kind, caused.currency),
        'cause',
        caused.cause,
        format(
            '%s %s%s',
            unit_words(sum(caused.units)),
            caused.kind,
            coalesce(
                ', '
                || amount_words(
                    nullif(caused.currency, ''),
                    sum(caused.amount),
                    bool_or(caused.price_source = 'catalogue') filter (where caused.amount <> 0),
                    bool_and(caused.price_source = 'catalogue') filter (where caused.amount <> 0)
                ),
                ''
            )
        ),
        null,
        null,
        null
    from caused
    group by caused.cause, caused.kind, caused.currency
    union all
    select
        3,
        row_number() over (
            order by changed.run_id desc, changed.transaction_id, changed.kind, changed.environment, changed.is_added
        ),
        'restated',
        changed.transaction_id,
        format(
            '%s: %s %s %s of %s on %s%s%s',
            changed.cause,
            case when changed.is_added then 'now' else 'no longer' end,
            unit_words(abs(changed.units)),
            changed.kind,
            changed.product_id,
            changed.day,
            coalesce(
                ' for '
                || amount_words(
                    nullif(changed.currency, ''), abs(changed.amount), false, changed.price_source = 'catalogue'
                ),
                ''
            ),
            case when changed.environment <> 'Production' then ', ' || changed.environment else '' end
        ),
        changed.as_of,
        record.path,
        record.line
    from changed
    left join record on changed.place = record.place

)

select
    section_place,
    section,
    null as property,
    place,
    1000 as length,
    name,
    words,
    null::bigint as missing,
    null::bigint as delivered,
    at,
    file,
    line
from fact
