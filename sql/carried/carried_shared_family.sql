-- Returns one row for each family with more accounts than allowed, and for each namespace of names: accounts, and
-- Apple's appAccountToken.
with

named as not materialized (

    select
        member.environment,
        member.family_key,
        '' as namespace,
        account.account_id
    from member
    cross join unnest(member.account_ids) as account (account_id)
    where member.is_configured
    union all
    select
        member.environment,
        member.family_key,
        'appAccountToken ',
        token.account_token
    from member
    cross join unnest(member.account_tokens) as token (account_token)
    where member.is_configured
    union all
    select
        environment,
        family_key,
        '',
        account_id
    from attempt
    where is_configured and family_key is not null and account_id is not null

),

-- Few families have two accounts. They are found by a hash of their keys before anything is sorted.
candidate as materialized (

    select hashtextextended(namespace || family_key, 0) as family_hash
    from named
    group by 1
    having min(account_id) <> max(account_id)

)

select
    named.environment,
    named.family_key,
    named.namespace,
    named.namespace || string_agg(distinct named.account_id, ' ' order by named.account_id) as subject,
    count(distinct named.account_id) as accounts
from named
where exists (
    select
    from candidate
    where candidate.family_hash = hashtextextended(named.namespace || named.family_key, 0)
)
group by named.environment, named.family_key, named.namespace
having count(distinct named.account_id) > (select accounts_allowed from night)
