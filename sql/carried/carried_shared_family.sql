-- Returns one row for each family with more accounts than allowed, and for each namespace of names: accounts, and
-- Apple's appAccountToken.
with

named as not materialized (

    select
        member.environment,
        member.family_key,
        '' as namespace,
        account.account_id,
        hashtextextended(member.family_key, 0) as family_hash
    from member
    cross join unnest(member.account_ids) as account (account_id)
    where member.is_configured
    union all
    select
        member.environment,
        member.family_key,
        'appAccountToken',
        token.account_token,
        hashtextextended(member.family_key, 1)
    from member
    cross join unnest(member.account_tokens) as token (account_token)
    where member.is_configured
    union all
    select
        environment,
        family_key,
        '',
        account_id,
        hashtextextended(family_key, 0)
    from attempt
    where is_configured and family_key is not null and account_id is not null

),

-- Few families have two accounts, and a hash of their keys finds them before anything is sorted or a set is unnested. A
-- set is sorted, so it has two names if its first and its last name differ.
candidate as materialized (

    select family_hash
    from (
        select
            hashtextextended(family_key, 0) as family_hash,
            account_ids[1] as lowest,
            account_ids[cardinality(account_ids)] as highest
        from member
        where is_configured and account_ids <> '{}'
        union all
        select
            hashtextextended(family_key, 1),
            account_tokens[1],
            account_tokens[cardinality(account_tokens)]
        from member
        where is_configured and account_tokens <> '{}'
        union all
        select
            hashtextextended(family_key, 0),
            account_id,
            account_id
        from attempt
        where is_configured and family_key is not null and account_id is not null
    ) as told
    group by family_hash
    having min(lowest) <> max(highest)

)

select
    named.environment,
    named.family_key,
    named.namespace,
    array_agg(distinct named.account_id order by named.account_id) as names,
    count(distinct named.account_id) as accounts
from named
where exists (select from candidate where candidate.family_hash = named.family_hash)
group by named.environment, named.family_key, named.namespace
having count(distinct named.account_id) > (select accounts_allowed from night)
