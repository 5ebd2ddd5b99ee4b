-- Inserts the findings of one rule into `found`, one for each subject.
--
-- The program puts the query of the rule before this text, as the common table expression `judged`.
--
-- Takes  judged: what the rule returns; $1: the rule's name
insert into found (rule, level, environment, key, subject, reason, detail, family_key)
select distinct on (environment, subject)
    $1::text,
    level,
    environment,
    key,
    subject,
    reason,
    coalesce(detail, ''),
    family_key
from (
    select
        judged.level,
        judged.environment,
        given.key,
        finding_subject(given.key) as subject,
        judged.reason,
        judged.detail,
        given.family_key
    from judged
    -- With `offset 0` the planner computes the key once, not once for each field of the subject.
    cross join lateral (
        select
            jsonb_populate_record(null::finding_key, to_jsonb(judged)) as key,
            to_jsonb(judged) ->> 'family_key' as family_key
        limit all
        offset 0
    ) as given
    offset 0
) as keyed
order by
    environment,
    subject,
    reason,
    detail,
    family_key
