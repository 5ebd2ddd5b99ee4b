-- Returns the newest records of apps that have the explained name: purchases that failed or were deferred, which have
-- no transaction; identifiers that the App Store called invalid; and everything that is dated after as-of.
--
-- Takes  tieout.explained, tieout.explained_as: device if it is one; store_transaction
-- Gives  the columns of explain_timeline.sql; named_as: account, device, transaction or original transaction;
--        cause: one word; sentence; left_out: the number of records that are not returned
with

asked as (

    select
        current_setting('tieout.explained') collate "C" as name,
        coalesce(current_setting('tieout.explained_as', true) = 'device', false) as is_device

),

-- The answer about a transaction that evidence contains has what apps reported about it.
unknown as (

    select asked.name
    from asked
    where
        not asked.is_device
        and asked.name not in (
            select transaction_id from store_transaction
            union all
            select original_transaction_id from store_transaction
        )

),

named_entry as (

    select
        'account' as named_as,
        entry.*
    from asked
    inner join tieout.client_transaction as entry on asked.name = entry.account_id
    where not asked.is_device
    union all
    select
        'device',
        entry.*
    from asked
    inner join tieout.client_transaction as entry on asked.name = entry.device_id
    where asked.is_device
    union all
    select
        'transaction',
        entry.*
    from unknown
    inner join tieout.client_transaction as entry on unknown.name = entry.transaction_id
    union all
    select
        'original transaction',
        entry.*
    from unknown
    inner join tieout.client_transaction as entry on unknown.name = entry.original_transaction_id
    where entry.transaction_id is distinct from unknown.name
    union all
    select
        report.named_as,
        report.content_hash,
        null,
        null,
        null,
        report.product_id,
        'invalid',
        report.reported_at,
        report.account_id,
        report.device_id,
        report.app_version,
        report.file_id,
        report.line
    from (
        select
            'account' as named_as,
            client_invalid_product.*
        from asked
        inner join tieout.client_invalid_product on asked.name = client_invalid_product.account_id
        where not asked.is_device
        union all
        select
            'device',
            client_invalid_product.*
        from asked
        inner join tieout.client_invalid_product on asked.name = client_invalid_product.device_id
        where asked.is_device
    ) as report

),

placed as (

    select
        named_entry.*,
        case
            when named_entry.state <> 'invalid' then own_environment(named_entry.environment, false)
            else ''
        end as own_environment,
        case
            when named_entry.occurred_at > night.as_of then 'after_as_of'
            when named_entry.state = 'invalid' then 'invalid_product_id'
            else 'no_transaction'
        end as cause
    from named_entry
    cross join night
    where
        named_entry.occurred_at > night.as_of
        or (named_entry.transaction_id is null and named_entry.original_transaction_id is null)

),

numbered as (

    select
        placed.*,
        count(*) over of_cause as entries,
        row_number() over newest_first as place,
        first_value(case placed.state when 'invalid' then placed.product_id else placed.state end)
            over newest_first as last_words,
        max(placed.occurred_at) over of_cause as last_at
    from placed
    window
        of_cause as (partition by placed.own_environment, placed.cause),
        newest_first as (
            partition by placed.own_environment, placed.cause
            order by placed.occurred_at desc, placed.content_hash
        )

),

counted as (

    select
        own_environment,
        cause,
        string_agg(
            concat_ws(' ', entries, nullif(state, 'invalid')), ' and ' order by state desc
        ) as words
    from (
        select
            own_environment,
            cause,
            state,
            count(*) as entries
        from placed
        group by own_environment, cause, state
    ) as stated
    group by own_environment, cause

)

select
    numbered.own_environment as environment,
    'queue ' || numbered.cause as thing_key,
    csv_instant(numbered.occurred_at) as at,
    case numbered.cause when 'after_as_of' then 'later' else 'claimed' end as event,
    concat(
        case numbered.state
            when 'invalid' then format('an app reported %s as invalid', numbered.product_id)
            else format('an app''s payment queue said %s: %s', numbered.state, numbered.product_id)
        end,
        ', account ' || numbered.account_id,
        ', device ' || numbered.device_id,
        ', app version ' || numbered.app_version,
        coalesce(
            ', transaction ' || numbered.transaction_id,
            ', original transaction ' || numbered.original_transaction_id
        ),
        case numbered.cause when 'after_as_of' then ' (after as-of: not considered yet)' end
    ) as words,
    input_file.path as file,
    numbered.line,
    null as pointer,
    numbered.named_as,
    numbered.cause,
    format(
        'An app reported %s: %s, the last on %s (%s)%s.',
        case
            when numbered.state = 'invalid' then 'product identifiers that the App Store called invalid'
            when numbered.cause = 'after_as_of' then 'entries of its payment queue'
            else 'purchases that did not succeed'
        end,
        counted.words,
        csv_instant(numbered.last_at),
        numbered.last_words,
        case numbered.cause
            when 'after_as_of' then ', after as-of: not considered yet'
            when 'no_transaction' then '. They name no transaction'
        end
    ) as sentence,
    greatest(numbered.entries - 100, 0) as left_out
from numbered
inner join counted using (own_environment, cause)
left join input_file using (file_id)
where numbered.place <= 100
order by environment, at, words, file, numbered.line
