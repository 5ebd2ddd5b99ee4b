-- Returns one finding for each identifier that the App Store sold, the content server delivered or an app asked for,
-- and that is not for sale.
--
-- Finds      identifiers of transactions whose product state is not valid, with that state as the reason; identifiers
--            of deliveries that are not in the catalogue; and identifiers that the App Store called invalid, if only an
--            app reports that.
-- Leaves out everything while no catalogue was ever loaded, and other environments.
--
-- Levels     error
-- Judges     the night
-- Exception  match_pair.sql
-- Reads      carried_invalid_sighting, invalid_report, product
-- Gives      level, environment, reason, detail
-- Key        product_id, product_reason
-- Resolved   catalogue, records
-- Sentence   Its product identifier is not valid
-- Otherwise  explain_verdict.sql
with

seen as (

    select
        product_id,
        reason,
        count(*) filter (where kind = 'transaction') as transactions,
        count(*) filter (where kind = 'delivery') as deliveries
    from carried_invalid_sighting
    group by product_id, reason

)

select
    'error' as level,
    '' as environment,
    product_id,
    reason as product_reason,
    reason,
    -- Deliveries of a listed product are not counted: the date of the purchase decides about it.
    format('transactions: %s', transactions)
    || case when reason = 'unknown' then format(', deliveries: %s', deliveries) else '' end as detail
from seen
union all
select
    'error',
    '',
    product_id,
    'reported_by_app',
    'reported_by_app',
    format(
        'reports: %s, devices: %s, app versions: %s',
        reports,
        devices,
        coalesce(array_to_string(app_versions[1:5], ', '), 'unknown')
        || case when cardinality(app_versions) > 5 then ' and more' else '' end
    )
from invalid_report
where
    exists (select from product)
    and product_id not in (select seen.product_id from seen)
