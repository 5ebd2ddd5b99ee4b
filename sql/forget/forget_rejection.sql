-- Returns one row for each path of which a kept rejection contains a forgotten name.
--
-- Takes  forgotten: name, token, escaped; encoded_rejection (forget_encoded.sql).
-- Gives  path
select rejection.path
from rejection
inner join forgotten
    on position(forgotten.name in rejection.detail) > 0
    or holds_name(rejection.excerpt, rejection.raw, forgotten.name, forgotten.escaped)
union
select rejection.path
from rejection
inner join encoded_rejection using (rejection_id)
order by path
