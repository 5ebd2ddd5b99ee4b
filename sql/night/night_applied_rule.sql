-- Returns the rules, as their headers declare them.
--
-- Takes  tieout.rules: a JSON array of objects with these columns
-- Gives  place: the order in which they are applied; rule, is_of_purchases, key, resolved, otherwise
select
    declared.place,
    declared.rule collate "C" as rule,
    declared.is_of_purchases,
    declared.key collate "C" as key,
    declared.resolved collate "C" as resolved,
    declared.otherwise collate "C" as otherwise
from jsonb_to_recordset(current_setting('tieout.rules')::jsonb)
    as declared (place integer, rule text, is_of_purchases boolean, key text, resolved text[], otherwise text)
