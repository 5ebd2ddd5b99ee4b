-- Returns one row for each member of each explained purchase, with its disposition and the reason for it.
select
    member.environment,
    member.obligation_key as thing_key,
    member.family_key,
    member.transaction_id,
    member.original_transaction_id,
    member.product_id,
    member.web_order_line_item_id,
    csv_instant(member.purchased_at) as purchased_at,
    csv_instant(member.refunded_at) as refunded_at,
    member.disposition,
    case member.disposition
        when 'other_environment'
            then format('%s is not among the configured environments', member.environment)
        when 'family_shared' then 'evidence says FAMILY_SHARED: a family member bought it'
        when 'restored' then
            case
                when member.is_claimed
                    then 'only an app''s payment queue reports this restore; no receipt contains it'
                when member.transaction_id <> member.original_transaction_id and member.place = 1
                    then format('it replays %s, which no receipt contains', member.original_transaction_id)
                else format('it replays %s', coalesce(completed.transaction_id, member.original_transaction_id))
            end
        when 'free' then case when member.is_trial then 'a free trial' else 'its price is 0' end
        when 'renewal' then format('a further period of %s', member.original_transaction_id)
        else
            case
                when member.transaction_id = member.original_transaction_id then 'it is its own original transaction'
                else 'the earliest transaction of its period in evidence'
            end
    end as because,
    member.trust
from thing
inner join member
    on thing.environment = member.environment
    and thing.thing_key = member.obligation_key
left join member as completed
    on member.environment = completed.environment
    and member.family_key = completed.family_key
    and completed.is_completed_purchase
where thing.kind = 'purchase'
order by
    member.environment,
    member.obligation_key,
    member.purchased_at,
    identifier_order(member.transaction_id)
