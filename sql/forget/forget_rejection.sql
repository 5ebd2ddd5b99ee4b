-- Returns one row for each path of which a kept rejection contains a forgotten name.
--
-- Takes  forgotten: name, token, escaped.
-- Gives  path
select distinct rejection.path
from rejection
inner join forgotten
    on position(forgotten.name in rejection.detail) > 0
    or holds_name(rejection.excerpt, rejection.raw, forgotten.name, forgotten.escaped)
order by rejection.path
