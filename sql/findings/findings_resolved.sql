-- Inserts an event for each finding that was resolved tonight, with the cause and its record.
--
--   delivered_late     a missing or unfinished delivery was made later
--   refunded           the customer has the money back
--   window_ended       the rule no longer looks at that time
--   catalogue_changed  a catalogue has a new value for the product
--   evidence_arrived   evidence of the purchase came
--   log_arrived        a delivery record or its correction came
--   report_arrived     a report of Apple came
--   app_reported       the log of an app came
--   feed_resumed       a feed brings records again
--   line_replaced      a line without a line end was replaced
--   file_withdrawn     a file was withdrawn
--   account_forgotten  a person was forgotten
--   period_approved    a closed period was approved again
--   period_reopened    a closed period was reopened
--   change_undone      a change of a period was undone
--   settings_changed   a setting was changed
--   no_longer_holds    none of these
--
-- The line `Resolved` of a rule says which facts, records and time are causes, the likeliest first. The others are
-- queries of their own here.
--
-- Takes  the judged relations, applied_rule (night_applied_rule.sql), the tables of findings_live.sql and of the files
--        that run between it and this one (FindingChanges.swift), and tieout.forgets: true if the run forgets a person

create temporary table resolving_cause on commit drop as
with

-- A cluster cannot sort by a composite value in a query that it merges with a worker's.
served as materialized (

    select
        resolved_tonight.finding_id,
        attempt.delivery_id,
        attempt.content_hash,
        attempt.occurred_at,
        attempt.status,
        attempt.occurred_at <= obligation.due_at as is_in_time
    from resolved_tonight
    inner join obligation using (environment, subject)
    inner join attempt
        on obligation.environment = attempt.environment
        and obligation.obligation_key = attempt.obligation_key
        and obligation.product_id = attempt.product_id
    where resolved_tonight.rule = 'missing_delivery' and attempt.status = 'delivered'
    union all
    (
        select distinct on (resolved_tonight.finding_id)
            resolved_tonight.finding_id,
            attempt.delivery_id,
            attempt.content_hash,
            attempt.occurred_at,
            attempt.status,
            false
        from resolved_tonight
        inner join attempt
            on resolved_tonight.environment = attempt.environment
            and (resolved_tonight.key).transaction_id = attempt.transaction_id
            -- Equations can be joined by hash: one purchase can have thousands of devices.
            and coalesce((resolved_tonight.key).device_id, '') = coalesce(attempt.device_id, '')
            and ((resolved_tonight.key).device_id is null) = (attempt.device_id is null)
        where resolved_tonight.rule = 'unfinished_delivery'
        order by
            resolved_tonight.finding_id,
            latest_first(attempt.occurred_at, attempt.status, attempt.delivery_id)
    )

),

known as (

    select
        served.finding_id,
        1 as place,
        case when served.is_in_time then 'log_arrived' else 'delivered_late' end as cause,
        'delivery ' || served.delivery_id as record,
        delivery_record.file_id,
        delivery_record.line,
        served.occurred_at as at,
        null::bigint as preference
    from served
    cross join last_night
    inner join delivery_record
        on served.delivery_id = delivery_record.delivery_id
        and served.content_hash = delivery_record.content_hash
    where
        served.status = 'delivered'
        -- What the last night knew is no cause.
        and (delivery_record.file_id in (select file_id from new_file) or served.occurred_at > last_night.as_of)
    union all
    select finding_id, 2, 'refunded', record, file_id, line, at, null
    from first_refund
    union all
    select
        resolved_tonight.finding_id,
        3,
        'window_ended',
        'last restored on ' || csv_instant(restored_family.last_restored_at),
        null,
        null,
        null,
        null
    from resolved_tonight
    cross join last_night
    cross join night
    inner join restored_family using (environment, subject)
    where
        resolved_tonight.rule = 'duplicate_restore'
        and restored_family.restored_transactions > restored_family.allowed_transactions
        and restored_family.last_restored_at + night.restore_window < night.as_of
        -- Otherwise it ended only because the window is shorter.
        and restored_family.last_restored_at + restore_window(last_night.settings) < night.as_of
    union all
    select finding_id, 4, cause, record, null, null, null, null
    from ended_withdrawal
    union all
    select
        resolved_tonight.finding_id,
        case
            when array_position(applied_rule.resolved, 'records') < array_position(applied_rule.resolved, fact.kind)
                then 6
            else 4
        end,
        'catalogue_changed',
        concat_ws(' ', 'catalogue entry', fact.product_id, fact.member),
        fact.file_id,
        fact.line,
        null,
        -- Of several members of an entry the one that the rule looks at first. Who delivers, and when, matters only to
        -- rules about deliveries.
        2 * array_position(applied_rule.resolved, fact.kind)
        + case
            when
                (fact.member in ('delivery', 'delivery_per', 'grace_hours'))
                <> (applied_rule.rule in (
                    'missing_delivery', 'unfinished_delivery', 'delivery_without_purchase', 'purchase_without_receipt'
                ))
                then 1
            else 0
        end
    from resolved_name
    inner join resolved_about using (about_id)
    inner join resolved_tonight using (finding_id)
    inner join applied_rule using (rule)
    inner join first_catalogue_fact as fact on resolved_name.name = fact.product_id
    where
        resolved_name.kind = 'product'
        and fact.kind = any(applied_rule.resolved)
        -- Its purchase can have attempts of other products.
        and coalesce((resolved_tonight.key).product_id, fact.product_id) = fact.product_id
    union all
    -- The fact that a list of the store is complete is about all products.
    select
        resolved_tonight.finding_id,
        4,
        'catalogue_changed',
        concat_ws(' ', 'catalogue entry', fact.product_id, fact.member),
        fact.file_id,
        fact.line,
        null,
        2 * array_position(applied_rule.resolved, 'lists')
    from resolved_tonight
    inner join applied_rule using (rule)
    cross join first_catalogue_fact as fact
    where
        'lists' = any(applied_rule.resolved)
        and fact.member = 'store_list_covers'
        and resolved_tonight.finding_id in (select about_id from resolved_name where kind = 'product')
    union all
    select
        resolved_tonight.finding_id,
        5,
        first_record.cause,
        first_record.record,
        first_record.file_id,
        first_record.line,
        -- Its own records come first.
        case
            when
                first_record.name in (
                    (resolved_tonight.key).delivery_id,
                    (resolved_tonight.key).transaction_id,
                    case when rule = 'missing_original' then (resolved_tonight.key).original_transaction_id end
                )
                then '-infinity'::timestamptz
        end,
        null
    from first_record
    inner join resolved_tonight using (finding_id)
    inner join applied_rule using (rule)
    where 'records' = any(applied_rule.resolved)
    union all
    select finding_id, 7, 'line_replaced', null, file_id, line, null, null
    from replaced_line
    union all
    select resolved_tonight.finding_id, 7, 'file_withdrawn', null, withdrawn.file_id, null, null, null
    from resolved_tonight
    cross join withdrawn_file as withdrawn
    union all
    select finding_id, 8, 'account_forgotten', null, null, null, null, null
    from resolved_tonight
    where current_setting('tieout.forgets', true) = 'true'
    union all
    select resolved_tonight.finding_id, 9, 'settings_changed', changed.keys, null, null, null, null
    from resolved_tonight
    cross join (
        select string_agg(changed_setting.key, ', ' order by changed_setting.key) as keys
        from changed_setting
    ) as changed
    where changed.keys is not null
    union all
    select resolved_tonight.finding_id, 10, 'window_ended', null, null, null, null, null
    from resolved_tonight
    inner join applied_rule using (rule)
    where
        'time' = any(applied_rule.resolved)
        -- Of a report of Apple: tie_out.csv begins after its period.
        and (
            (resolved_tonight.key).apple_report is null
            or not exists (
                select
                from tie_out_row
                where
                    tie_out_row.kind = (resolved_tonight.key).apple_report
                    and tie_out_row.period_begin <= split_part((resolved_tonight.key).period, '..', 1)::date
            )
        )

)

select distinct on (known.finding_id)
    known.finding_id,
    known.cause,
    known.record,
    input_file.path as file,
    known.line
from known
left join input_file using (file_id)
order by
    known.finding_id,
    known.place,
    known.preference,
    known.at,
    known.cause,
    input_file.path,
    known.line,
    known.record;

analyze resolving_cause;

insert into finding_event (finding_id, run_id, event, cause, record, file, line)
select
    resolved_tonight.finding_id,
    night.run_id,
    'resolved',
    coalesce(resolving_cause.cause, 'no_longer_holds'),
    resolving_cause.record,
    resolving_cause.file,
    resolving_cause.line
from resolved_tonight
cross join night
left join resolving_cause using (finding_id)
