-- Returns the ten worst findings of each rule and level.
--
-- The more severe level comes first. Then come new findings, if they are asked for. Then comes the delivery that is
-- overdue longest, the identifier that was sold most often, or the purchase that was restored most often; then the
-- subject decides. The column transaction_id is the transaction for `tieout explain`, if the finding is about one
-- purchase or transaction. Acknowledged findings are in page_acknowledged.sql.
--
-- Takes  $1: an array of runs; what they opened or reopened is new. Empty: new findings do not come first.
with

weighed as (

    select
        'missing_delivery' as rule,
        missing.environment,
        missing.subject,
        max(extract(epoch from night.as_of - missing.due_at)) as weight,
        (array_agg(missing.transaction_id order by identifier_order(missing.transaction_id)))[1] as transaction_id
    from carried_missing_delivery as missing
    cross join night
    group by missing.environment, missing.subject
    union all
    select
        'duplicate_restore',
        surplus.environment,
        surplus.subject,
        max(surplus.restored_transactions - surplus.allowed_transactions),
        (array_agg(surplus.original_transaction_id order by identifier_order(surplus.original_transaction_id)))[1]
    from carried_surplus_restore as surplus
    group by surplus.environment, surplus.subject
    union all
    select
        'invalid_product_id',
        -- The finding is about all environments.
        '',
        seen.product_id || ' ' || seen.reason,
        count(*),
        null
    from carried_invalid_sighting as seen
    group by seen.product_id, seen.reason

),

open_finding as (

    select
        found.rule,
        found.level,
        found.environment,
        found.subject,
        found.reason,
        found.key,
        (found.key).product_reason is not null as is_reason_in_subject,
        found.detail,
        severity(found.level) as severity,
        opened.finding_id is not null as is_new,
        weighed.weight,
        coalesce(weighed.transaction_id, (found.key).transaction_id, (found.key).original_transaction_id)
            as transaction_id
    from found
    left join weighed
        on found.rule = weighed.rule
        and found.environment = weighed.environment
        and found.subject = weighed.subject
    -- The planner leaves the join out if no run is given.
    left join finding as opened
        on cardinality($1::bigint[]) > 0
        and found.rule = opened.rule
        and found.environment = opened.environment
        and found.subject_hash = opened.subject_hash
        and opened.changed_run_id = any($1::bigint[])
        and opened.status in ('open', 'reopened')
    left join acknowledged_finding as acknowledged
        on found.rule = acknowledged.rule
        and found.environment = acknowledged.environment
        and found.subject = acknowledged.subject
    where acknowledged.rule is null

),

rule as (

    select
        rule,
        severity,
        count(*) as findings
    from open_finding
    group by rule, severity

),

-- Each rule and level separately: the first ten of thousands are found without sorting the others.
ranked as (

    select
        worst.*,
        rule.findings
    from rule
    cross join lateral (
        select open_finding.*
        from open_finding
        where open_finding.rule = rule.rule and open_finding.severity = rule.severity
        order by
            open_finding.is_new desc,
            open_finding.weight desc nulls last,
            open_finding.subject,
            open_finding.environment
        limit 10
    ) as worst

)

select
    ranked.rule,
    ranked.level,
    finding_subject(shown_key(ranked.key)) as subject,
    ranked.reason,
    ranked.is_reason_in_subject,
    ranked.detail,
    ranked.transaction_id,
    finding.name as finding,
    coalesce(finding.first_flagged_on, night.as_of_on) as first_flagged_on,
    coalesce(nullif(finding.status, 'resolved'), 'open') as status,
    ranked.findings,
    ranked.is_new
from ranked
cross join night
left join finding
    on ranked.rule = finding.rule
    and ranked.environment = finding.environment
    and text_hash(ranked.subject) = finding.subject_hash
order by
    ranked.rule,
    ranked.severity,
    ranked.is_new desc,
    ranked.weight desc nulls last,
    ranked.subject,
    ranked.environment
