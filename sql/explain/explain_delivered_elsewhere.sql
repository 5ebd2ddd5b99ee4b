-- Returns one row for each product of an explained purchase whose deliveries all went to other accounts, or all to
-- other devices, than those that bought it.
--
-- If the explained name is an account or device that bought or restored it, only the accounts and devices of evidence
-- with this name count. Those of a restore count otherwise only if evidence of the purchase names none.
--
-- Takes  thing, made_delivery (explain_made_delivery.sql), tieout.explained
-- Gives  environment, obligation_key, product_id; words: who got the delivery that is named, and who bought or restored
--        it, with at most three names of accounts and of devices
with

-- The accounts and devices in evidence of the purchase and of its restores.
named as (

    select
        environment,
        obligation_key,
        kind,
        name,
        bool_or(is_completed_purchase) as has_bought,
        bool_or(is_asked) as is_asked
    from (
        select
            member.environment,
            member.obligation_key,
            member.is_completed_purchase,
            'account' as kind,
            account.id as name,
            current_setting('tieout.explained') = any(account.id || member.device_ids) as is_asked
        from thing
        inner join member
            on thing.environment = member.environment and thing.thing_key = member.obligation_key
        cross join unnest(member.account_ids) as account (id)
        union all
        select
            member.environment,
            member.obligation_key,
            member.is_completed_purchase,
            'device',
            device.id,
            current_setting('tieout.explained') = any(device.id || member.account_ids)
        from thing
        inner join member
            on thing.environment = member.environment and thing.thing_key = member.obligation_key
        cross join unnest(member.device_ids) as device (id)
    ) as member_name
    group by environment, obligation_key, kind, name

),

-- Those that should have got it.
holder as (

    select
        environment,
        obligation_key,
        kind,
        array_agg(name order by name) as ids,
        array_agg(quoted_name(name) order by name) as names,
        bool_and(has_bought) as has_bought
    from (
        select
            named.*,
            bool_or(is_asked) over (partition by environment, obligation_key) as has_asked,
            bool_or(has_bought) over (partition by environment, obligation_key, kind) as has_buyer
        from named
    ) as candidate
    where case when has_asked then is_asked else has_bought or not has_buyer end
    group by environment, obligation_key, kind

),

made as (

    select
        environment,
        thing_key,
        product_id,
        place,
        'account' as kind,
        account_id as name
    from made_delivery
    union all
    select
        environment,
        thing_key,
        product_id,
        place,
        'device',
        device_id
    from made_delivery

),

elsewhere as (

    select
        holder.environment,
        holder.obligation_key,
        holder.kind,
        holder.names,
        holder.has_bought,
        made.product_id,
        (array_agg(made.name order by made.place))[1] as name
    from holder
    inner join made
        on holder.environment = made.environment
        and holder.obligation_key = made.thing_key
        and holder.kind = made.kind
    group by
        holder.environment,
        holder.obligation_key,
        holder.kind,
        holder.ids,
        holder.names,
        holder.has_bought,
        made.product_id
    -- A delivery without an account or device may have been made to any.
    having bool_and(coalesce(made.name <> all(holder.ids), false))

)

select
    elsewhere.environment,
    elsewhere.obligation_key,
    elsewhere.product_id,
    ', ' || string_agg(
        format(
            'to %s %s%s, not %s, which %s it',
            elsewhere.kind,
            quoted_name(elsewhere.name),
            case when not named.has_bought then ', which restored it' end,
            -- A purchase can have any number of accounts.
            case
                when cardinality(elsewhere.names) <= 3 then array_to_string(elsewhere.names, ' or ')
                else format(
                    '%s and %s more',
                    array_to_string(elsewhere.names[:3], ', '),
                    cardinality(elsewhere.names) - 3
                )
            end,
            case when elsewhere.has_bought then 'bought' else 'restored' end
        ),
        ', and '
        order by elsewhere.kind
    ) as words
from elsewhere
left join named
    on elsewhere.environment = named.environment
    and elsewhere.obligation_key = named.obligation_key
    and elsewhere.kind = named.kind
    and elsewhere.name = named.name
group by elsewhere.environment, elsewhere.obligation_key, elsewhere.product_id
