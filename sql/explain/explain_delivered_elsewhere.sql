-- Returns one row for each product of an explained purchase that was delivered to other accounts only.
--
-- Takes  latest_attempt (explain_latest_attempt.sql).
-- Gives  environment, obligation_key, product_id; words: who got it, and who bought it, with at most three names
with

-- The accounts that bought or restored it.
holder as (

    select
        served.environment,
        served.obligation_key,
        array_agg(distinct account.id) as accounts
    from (
        select distinct environment, obligation_key
        from latest_attempt
        where served_by is not null
    ) as served
    inner join member
        on served.environment = member.environment and served.obligation_key = member.obligation_key
    cross join unnest(member.account_ids) as account (id)
    group by served.environment, served.obligation_key

)

select
    holder.environment,
    holder.obligation_key,
    attempt.product_id,
    format(
        ', to account %s, not %s, which bought it',
        min(attempt.account_id),
        case
            when cardinality(holder.accounts) <= 3 then array_to_string(holder.accounts, ' or ')
            else format('%s and %s more', array_to_string(holder.accounts[:3], ', '), cardinality(holder.accounts) - 3)
        end
    ) as words
from holder
inner join attempt
    on holder.environment = attempt.environment and holder.obligation_key = attempt.obligation_key
where attempt.status = 'delivered'
group by holder.environment, holder.obligation_key, holder.accounts, attempt.product_id
having bool_and(attempt.account_id <> all(holder.accounts))
