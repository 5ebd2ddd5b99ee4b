-- Returns the records behind each explained finding that is about no single purchase, in words, at most twenty of each
-- finding. Those of a silent server or feed are in explain_finding_absence.sql.
--
-- The tables of tieout are read, because the affected part lacks these records.
--
-- Takes  lone_finding (explain_lone_finding.sql), applied_rule: rule, resolved.
-- Gives  the columns of explain_timeline.sql; left_out: the number of records of the finding that are left out
with

length as (select 20 as events),

-- The newest transactions that changed a closed period since it was approved, and the newest evidence that the run
-- judged.
moved as (

    select
        lone_finding.thing_key,
        entry.*,
        -- The workers of a cluster cannot look up the number of an identifier.
        identifier_number(entry.transaction_id) as transaction_number,
        run.as_of,
        night_before(entry.run_id) as loaded_after,
        row_number() over (
            partition by lone_finding.thing_key
            order by
                entry.run_id desc,
                identifier_order(entry.transaction_id),
                entry.environment,
                entry.kind,
                entry.is_added
        ) as place
    from lone_finding
    inner join period_closing as closing
        on (lone_finding.key).period = closing.period and closing.reopened_at is null
    inner join period_state using (closing_id)
    inner join restated_entry as entry
        on entry.day between closing.first_day and closing.last_day and entry.run_id > period_state.run_id
    inner join run on entry.run_id = run.run_id
    where lone_finding.rule = 'certificate_withdrawn' and entry.kind <> 'missing'

),

source as (

    select
        moved.*,
        evidence.file_id,
        evidence.line,
        evidence.pointer
    from moved
    inner join evidence
        on moved.transaction_number = evidence.transaction_number
        and moved.environment = evidence.environment
    union all
    -- Repeated evidence can reverse a refund.
    select
        moved.*,
        evidence.last_file_id,
        null,
        null
    from moved
    inner join evidence
        on moved.transaction_number = evidence.transaction_number
        and moved.environment = evidence.environment
    where moved.cause = 'refund_reversed'

),

moved_by as (

    select distinct on (source.thing_key, source.place)
        source.thing_key,
        source.place,
        source.file_id,
        source.line,
        source.pointer
    from source
    inner join input_file
        on source.file_id = input_file.file_id
        and source.loaded_after < input_file.run_id
        and source.run_id >= input_file.run_id
    cross join length
    where source.place <= length.events
    order by source.thing_key, source.place, source.file_id desc, source.line desc nulls last, source.pointer

),

event as (

    select
        lone_finding.thing_key,
        run.as_of as at,
        'catalogue' as event,
        format(
            'a catalogue says about %s: %s',
            fact.product_id,
            concat_ws(
                ' ',
                fact_words(fact.member, fact.currency, fact.storefront, fact.price_from),
                nullif(fact.value, '')
            )
        ) as words,
        fact.file_id,
        fact.line,
        null as pointer,
        -- Values that contradict each other come first, then the newest ones.
        row_number() over (
            partition by lone_finding.thing_key
            order by
                contradiction.facts desc,
                run.run_id desc,
                fact.member,
                fact.price_from desc,
                fact.currency,
                fact.storefront,
                fact.value
        ) as place
    from lone_finding
    inner join applied_rule using (rule)
    inner join catalogue_fact as fact on (lone_finding.key).product_id = fact.product_id
    inner join input_file using (file_id)
    inner join run using (run_id)
    cross join lateral (
        select count(*) as facts
        from catalogue_fact as other
        where
            other.product_id = fact.product_id
            and other.member = fact.member
            and other.currency = fact.currency
            and other.storefront = fact.storefront
            and other.price_from = fact.price_from
    ) as contradiction
    where
        -- Findings about a product, not about a purchase of it, that a fact can resolve.
        (lone_finding.key).original_transaction_id is null
        and applied_rule.resolved && array['catalogue', 'prices', 'lists']
    union all
    select
        lone_finding.thing_key,
        report.reported_at,
        'claimed',
        format(
            'an app reported %s as invalid%s%s',
            report.product_id,
            ', device ' || report.device_id,
            ', app version ' || report.app_version
        ),
        report.file_id,
        report.line,
        null,
        row_number() over (
            partition by lone_finding.thing_key
            order by report.reported_at desc, report.content_hash
        )
    from lone_finding
    inner join tieout.client_invalid_product as report on (lone_finding.key).product_id = report.product_id
    where lone_finding.rule = 'invalid_product_id' and (lone_finding.key).product_reason = 'reported_by_app'
    union all
    -- The devices that restored most often come first.
    select
        lone_finding.thing_key,
        entry.occurred_at,
        'claimed',
        format(
            'an app''s payment queue said restored: %s, device %s, app version %s, transaction %s',
            entry.product_id,
            entry.device_id,
            restore.app_version,
            entry.transaction_id
        ),
        entry.file_id,
        entry.line,
        null,
        row_number() over (
            partition by lone_finding.thing_key
            order by restore.of_device desc, restore.device_id, entry.occurred_at desc, entry.content_hash
        )
    from lone_finding
    inner join (
        select
            app_version,
            device_id,
            occurred_at,
            count(*) over (partition by app_version, device_id) as of_device
        from carried_client_restore
    ) as restore
        on (lone_finding.key).app_version = restore.app_version
    inner join tieout.client_transaction as entry
        on restore.occurred_at = entry.occurred_at
        and restore.device_id = entry.device_id
        and restore.app_version = coalesce(entry.app_version, 'unknown')
        and entry.state = 'restored'
    where lone_finding.rule = 'automatic_restore'
    union all
    select
        moved.thing_key,
        moved.as_of,
        'restated',
        format(
            '%s: %s %s %s of transaction %s, %s, on %s%s',
            moved.cause,
            case when moved.is_added then 'now' else 'no longer' end,
            unit_words(abs(moved.units)),
            moved.kind,
            moved.transaction_id,
            moved.product_id,
            moved.day,
            coalesce(
                ' for '
                || amount_words(
                    nullif(moved.currency, ''), abs(moved.amount), false, moved.price_source = 'catalogue'
                ),
                ''
            )
        ),
        moved_by.file_id,
        moved_by.line,
        moved_by.pointer,
        moved.place
    from moved
    left join moved_by using (thing_key, place)
    union all
    select
        lone_finding.thing_key,
        run.as_of,
        'apple',
        format(
            'Apple''s report says %s%s%s%s',
            unit_words(stated.units),
            ', customer price ' || stated.currency || ' ' || csv_amount(stated.customer_price, stated.currency),
            ', ' || stated.country,
            ', ' || stated.product_type
        ),
        stated.file_id,
        stated.line,
        null,
        row_number() over (
            partition by lone_finding.thing_key
            order by run.run_id desc, stated.file_id, stated.line
        )
    from lone_finding
    inner join apple_report as report
        on (lone_finding.key).apple_report = report.kind
        and (lone_finding.key).period = report_period(report.period_begin, report.period_end)
    inner join apple_report_row as stated
        on report.report_hash = stated.report_hash and (lone_finding.key).product_id = stated.product_id
    inner join input_file on stated.file_id = input_file.file_id
    inner join run on input_file.run_id = run.run_id
    where lone_finding.rule = 'unexplained_difference'

),

counted as (

    select
        event.*,
        event.place <= length.events as is_shown,
        count(*) filter (where event.place > length.events) over (partition by event.thing_key) as left_out
    from event
    cross join length

)

select
    lone_finding.environment,
    lone_finding.thing_key,
    csv_instant(counted.at) as at,
    counted.event,
    counted.words,
    input_file.path as file,
    counted.line,
    counted.pointer,
    counted.left_out
from lone_finding
inner join counted using (thing_key)
left join input_file using (file_id)
where counted.is_shown
order by
    lone_finding.thing_key,
    counted.at,
    counted.event,
    counted.place,
    counted.words,
    input_file.path,
    counted.line
