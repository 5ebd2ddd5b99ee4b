-- Returns one row for each family with more restored transactions than the settings allow, with the number of devices
-- that named it.
--
-- The column is_surplus says which of these families the rule duplicate_restore finds: those that were restored more
-- often than the devices explain, and within the restore window.
with

candidate as (

    select family.*
    from family
    cross join night
    where family.is_configured and family.restored_transactions > night.restores_allowed

),

candidate_member as (

    select member.*
    from member
    where (member.environment, member.family_key) in (select environment, family_key from candidate)

),

named as (

    select
        member.environment,
        member.family_key,
        account.account_id,
        null as device_id,
        false as is_delivery
    from candidate_member as member
    cross join unnest(member.account_ids) as account (account_id)
    union all
    select member.environment, member.family_key, null, device.device_id, false
    from candidate_member as member
    cross join unnest(member.device_ids) as device (device_id)
    union all
    -- The devices on which apps restored the family's purchase, whether or not evidence contains the restore.
    select member.environment, member.family_key, null, claim.device_id, false
    from claim
    inner join candidate_member as member
        on claim.environment = member.environment
        and claim.original_transaction_id = member.transaction_id
        and claim.product_id = member.product_id
    where claim.state = 'restored' and not member.is_claimed
    union all
    select attempt.environment, attempt.family_key, attempt.account_id, attempt.device_id, true
    from attempt
    where (attempt.environment, attempt.family_key) in (select environment, family_key from candidate)

),

tally as (

    select
        environment,
        family_key,
        count(distinct account_id) as accounts,
        count(distinct device_id) as devices,
        count(*) filter (where is_delivery) as deliveries
    from named
    group by environment, family_key

),

allowed as (

    select
        candidate.*,
        greatest(night.restores_allowed, coalesce(tally.devices, 0)) as allowed_transactions,
        coalesce(tally.deliveries, 0) as deliveries,
        coalesce(tally.accounts, 0) as accounts,
        coalesce(tally.devices, 0) as devices,
        coalesce(candidate.last_restored_at + night.restore_window >= night.as_of, true) as is_recent
    from candidate
    cross join night
    left join tally using (environment, family_key)

)

select
    environment,
    family_key,
    subject,
    original_transaction_id,
    product_id,
    web_order_line_item_id,
    case when family_key like 'd %' then purchased_at end as purchased_at,
    case when is_completed then transaction_id end as purchase_transaction_id,
    restored_transactions,
    allowed_transactions,
    first_restored_at,
    last_restored_at,
    deliveries,
    accounts,
    devices,
    restored_transactions > allowed_transactions and is_recent as is_surplus
from allowed
