-- Returns one row for each explained finding that is a thing itself, because it is about no purchase or about several.
--
-- Takes  thing, explained_finding (explain_seed.sql).
-- Gives  environment, thing_key, rule, key
select
    thing.environment,
    thing.thing_key,
    explained_finding.rule,
    explained_finding.key
from thing
inner join explained_finding on thing.thing_key = 'finding ' || explained_finding.finding_id
where thing.kind = 'finding'
