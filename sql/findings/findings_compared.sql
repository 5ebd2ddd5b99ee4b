-- Adds tonight's acknowledgements that could not be used to the records that could not be used (judge_compared.sql).
-- They are known only after the findings are updated.
--
-- Takes  $1: their number
update compared
set value = compared.value + $1::bigint
where compared.section = 'unread' and compared.measure = 'records'
