-- Shared purchase: one purchase used by several accounts.
--
-- Finds      sets of accounts that evidence and deliveries of one family name together, when they are
--            more than allowed; one finding for each set, a warning from five accounts on.
--
-- Gives  level, environment, subject, reason, detail
with

named as (

    select
        member.environment,
        member.family_key,
        account.account_id
    from member
    cross join unnest(member.account_ids) as account (account_id)
    where member.is_configured
    union all
    select
        environment,
        family_key,
        account_id
    from attempt
    where is_configured and family_key is not null and account_id is not null

),

-- Few families carry two accounts: find them before anything is sorted.
candidate as (

    select environment, family_key
    from named
    group by environment, family_key
    having min(account_id) <> max(account_id)

),

sharing as (

    select
        named.environment,
        named.family_key,
        count(distinct named.account_id) as accounts,
        string_agg(distinct named.account_id, ' ' order by named.account_id) as subject
    from named
    inner join candidate using (environment, family_key)
    group by named.environment, named.family_key
    having count(distinct named.account_id) > (select accounts_allowed from night)

)

select
    case when accounts >= 5 then 'warning' else 'info' end as level,
    '' as environment,
    subject,
    null as reason,
    format('accounts: %s, families: %s', accounts, count(*)) as detail
from sharing
group by subject, accounts
