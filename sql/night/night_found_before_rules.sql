-- Adds the findings of rules that judge the whole night to `found_before`, if they are not resolved.
--
-- Takes  $1: the names of the rules, or null for all rules
insert into found_before (rule, environment, subject_hash)
select
    rule,
    environment,
    subject_hash
from finding
where
    status <> 'resolved'
    and ($1::text[] is null or rule = any($1::text[]))
