-- Returns invalid_product_ids.csv: one row for each identifier that is not for sale, and reason, also if the finding is
-- acknowledged.
--
-- These are identifiers that were sold, delivered or asked for, and that the catalogue or the App Store does not offer.
-- The select list is the CSV header.
--
-- Kind      statement
-- Edition   yes
-- Sheet     without totals
-- Rule      invalid_product_id
-- Identity  product_id, reason
-- As-of     none
with

tally as (

    select
        seen.product_id,
        seen.reason,
        count(*) filter (where seen.kind = 'transaction') as transactions,
        count(*) filter (where seen.kind = 'delivery') as deliveries,
        min(seen.seen_at) as first_seen_at,
        max(seen.seen_at) as last_seen_at
    from carried_invalid_sighting as seen
    group by seen.product_id, seen.reason
    union all
    select
        product_id,
        'reported_by_app',
        0,
        0,
        first_reported_at,
        last_reported_at
    from invalid_report

),

account as (

    select
        seen.product_id,
        seen.reason,
        count(distinct named.account_id) as accounts
    from carried_invalid_sighting as seen
    cross join unnest(seen.account_ids) as named (account_id)
    group by seen.product_id, seen.reason
    union all
    select
        product_id,
        'reported_by_app',
        accounts
    from invalid_report

),

sample as (

    -- The lowest transaction in receipts or reports of apps. If there is none, the lowest that was delivered.
    select distinct on (product_id, reason)
        product_id,
        reason,
        transaction_id
    from carried_invalid_sighting
    order by product_id, reason, kind desc, identifier_order(transaction_id)

)

select
    csv_text(tally.product_id) as product_id,
    tally.reason,
    csv_text(closest.closest_product_id) as closest_product_id,
    tally.transactions,
    tally.deliveries,
    coalesce(account.accounts, 0) as accounts,
    csv_instant(tally.first_seen_at) as first_seen_at,
    csv_instant(tally.last_seen_at) as last_seen_at,
    csv_text(sample.transaction_id) as sample_transaction_id,
    coalesce(finding.first_flagged_on, night.as_of_on) as first_flagged_on
from found
cross join night
inner join tally on (found.key).product_id = tally.product_id and (found.key).product_reason = tally.reason
left join account
    on tally.product_id = account.product_id and tally.reason = account.reason
left join sample
    on tally.product_id = sample.product_id and tally.reason = sample.reason
left join carried_closest as closest on tally.product_id = closest.product_id
left join finding
    on found.rule = finding.rule
    and found.environment = finding.environment
    and found.subject_hash = finding.subject_hash
where found.rule = 'invalid_product_id'
order by tally.product_id, tally.reason
