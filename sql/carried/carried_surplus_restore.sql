-- Returns one row for each family that was restored more often than allowed, with the columns of
-- duplicate_restores.csv.
--
-- The rule duplicate_restore finds them. Two families can have the same subject if an identifier contains spaces. Then
-- they are one finding, but two rows here.
with

surplus as (

    select *
    from restored_family
    where is_surplus

),

restored as (

    select
        surplus.environment,
        surplus.family_key,
        string_agg(
            member.transaction_id, ' ' order by identifier_order(member.transaction_id)
        ) as restored_transaction_ids
    from surplus
    inner join member
        on surplus.environment = member.environment and surplus.family_key = member.family_key
    where not member.is_completed_purchase
    group by surplus.environment, surplus.family_key

)

select
    surplus.environment,
    surplus.family_key,
    surplus.subject,
    surplus.original_transaction_id,
    surplus.product_id,
    surplus.web_order_line_item_id,
    surplus.purchase_transaction_id,
    surplus.restored_transactions,
    surplus.allowed_transactions,
    surplus.first_restored_at,
    surplus.last_restored_at,
    surplus.deliveries,
    surplus.accounts,
    surplus.devices,
    restored.restored_transaction_ids
from surplus
inner join restored using (environment, family_key)
