-- Returns one row for each path of which a kept rejection contains a forgotten name.
--
-- Takes  forgotten_spelling: spelling; holding_rejection (forget_holding.sql).
-- Gives  path
select rejection.path
from rejection
inner join forgotten_spelling on position(forgotten_spelling.spelling in rejection.detail) > 0
union
select rejection.path
from rejection
inner join holding_rejection using (rejection_id)
order by path
