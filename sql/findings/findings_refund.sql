-- Finds the first refund that can be the cause of each finding that was resolved tonight.
--
-- One family can have many findings and many members, so its first refund is found once.
--
-- Takes          resolved_tonight (findings_live.sql), last_night, new_file (findings_things.sql), and the judged
--                relations.
-- Leaves behind  first_refund: finding_id, record, file_id, line, at
create temporary table first_refund on commit drop as
with

-- Refunded families: all of a refunded chain, otherwise those before the purchase that represents the chain now.
given_back as (

    select
        resolved_tonight.finding_id,
        family.environment,
        family.family_key,
        family.refunded_at
    from resolved_tonight
    inner join obligation using (environment, subject)
    inner join family
        on obligation.environment = family.environment and obligation.obligation_key = family.obligation_key
    where
        resolved_tonight.rule = 'missing_delivery'
        and family.refunded_at is not null
        and (obligation.is_refunded or family.purchased_at < obligation.purchased_at)
    union
    select
        resolved_tonight.finding_id,
        family.environment,
        family.family_key,
        family.refunded_at
    from resolved_tonight
    inner join attempt
        on resolved_tonight.environment = attempt.environment
        and (resolved_tonight.key).transaction_id = attempt.transaction_id
        and coalesce((resolved_tonight.key).device_id, '') = coalesce(attempt.device_id, '')
        and ((resolved_tonight.key).device_id is null) = (attempt.device_id is null)
    inner join family
        on attempt.environment = family.environment and attempt.family_key = family.family_key
    where resolved_tonight.rule = 'unfinished_delivery' and family.refunded_at is not null

),

family_refund as materialized (

    select distinct on (given.environment, given.family_key)
        given.environment,
        given.family_key,
        'transaction ' || member.transaction_id as record,
        evidence.file_id,
        evidence.line,
        evidence.cancelled_at as at
    from (select distinct environment, family_key, refunded_at from given_back) as given
    cross join last_night
    inner join member
        on given.environment = member.environment and given.family_key = member.family_key
    inner join evidence
        on member.transaction_number = evidence.transaction_number
        and member.environment = evidence.environment
        and given.refunded_at = evidence.cancelled_at
    left join input_file on evidence.file_id = input_file.file_id
    where evidence.file_id in (select file_id from new_file) or evidence.cancelled_at > last_night.as_of
    order by
        given.environment,
        given.family_key,
        evidence.cancelled_at,
        input_file.path,
        evidence.line,
        member.transaction_id

)

select
    given_back.finding_id,
    family_refund.record,
    family_refund.file_id,
    family_refund.line,
    family_refund.at
from given_back
inner join family_refund using (environment, family_key)
