-- Returns one row for each product of an explained purchase that was delivered to other accounts only.
--
-- Takes  thing, made_delivery (explain_made_delivery.sql), tieout.explained
-- Gives  environment, obligation_key, product_id; words: who got the delivery that is named, and who bought it, with at
--        most three names
with

-- The accounts that bought or restored it; only the explained account, if it is one of them.
holder as (

    select
        member.environment,
        member.obligation_key,
        case
            when bool_or(account.id = current_setting('tieout.explained'))
                then array[current_setting('tieout.explained')]
            else array_agg(distinct account.id)
        end as accounts
    from thing
    inner join member
        on thing.environment = member.environment and thing.thing_key = member.obligation_key
    cross join unnest(member.account_ids) as account (id)
    group by member.environment, member.obligation_key

)

select
    holder.environment,
    holder.obligation_key,
    made_delivery.product_id,
    format(
        ', to account %s, not %s, which bought it',
        (array_agg(quoted_name(made_delivery.account_id) order by made_delivery.place))[1],
        -- A purchase can have any number of accounts.
        case
            when cardinality(holder.accounts) <= 3 then array_to_string(holder.names, ' or ')
            else format('%s and %s more', array_to_string(holder.names, ', '), cardinality(holder.accounts) - 3)
        end
    ) as words
from (
    select
        holder.*,
        array(
            select quoted_name(account.id)
            from unnest(holder.accounts[:3]) with ordinality as account (id, place)
            order by account.place
        ) as names
    from holder
) as holder
inner join made_delivery
    on holder.environment = made_delivery.environment and holder.obligation_key = made_delivery.thing_key
group by holder.environment, holder.obligation_key, holder.accounts, holder.names, made_delivery.product_id
-- A delivery without an account may have been made to any.
having bool_and(coalesce(made_delivery.account_id <> all(holder.accounts), false))
