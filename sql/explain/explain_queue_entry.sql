-- Returns the newest entries of apps' payment queues that have the explained account or device and no transaction:
-- purchases that failed or were deferred. No purchase, delivery or claim has them.
--
-- Takes  tieout.explained, tieout.explained_as: device if it is one
-- Gives  the columns of explain_timeline.sql; named_as: account or device; sentence; left_out: the number of entries
--        that are not returned
with

asked as (

    select
        current_setting('tieout.explained') collate "C" as name,
        coalesce(current_setting('tieout.explained_as', true) = 'device', false) as is_device

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

),

placed as (

    select
        named_entry.*,
        own_environment(named_entry.environment, false) as own_environment
    from named_entry
    cross join night
    where
        named_entry.transaction_id is null
        and named_entry.original_transaction_id is null
        and named_entry.occurred_at <= night.as_of

),

numbered as (

    select
        placed.*,
        count(*) over of_environment as entries,
        count(*) filter (where placed.state = 'failed') over of_environment as failed,
        row_number() over newest_first as place,
        first_value(placed.state) over newest_first as last_state,
        max(placed.occurred_at) over of_environment as last_at
    from placed
    window
        of_environment as (partition by placed.own_environment),
        newest_first as (
            partition by placed.own_environment
            order by placed.occurred_at desc, placed.content_hash
        )

)

select
    numbered.own_environment as environment,
    'queue' as thing_key,
    csv_instant(numbered.occurred_at) as at,
    'claimed' as event,
    format(
        'an app''s payment queue said %s: %s%s%s%s',
        numbered.state,
        numbered.product_id,
        ', account ' || numbered.account_id,
        ', device ' || numbered.device_id,
        ', app version ' || numbered.app_version
    ) as words,
    input_file.path as file,
    numbered.line,
    null as pointer,
    numbered.named_as,
    format(
        'An app reported purchases that did not succeed: %s, the last on %s (%s). They name no transaction.',
        concat_ws(
            ' and ',
            nullif(numbered.failed, 0) || ' failed',
            nullif(numbered.entries - numbered.failed, 0) || ' deferred'
        ),
        csv_instant(numbered.last_at),
        numbered.last_state
    ) as sentence,
    greatest(numbered.entries - 100, 0) as left_out
from numbered
left join input_file using (file_id)
where numbered.place <= 100
order by environment, at, words, file, numbered.line
