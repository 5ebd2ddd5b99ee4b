-- Returns one row for each path of which a kept rejection contains a forgotten name.
--
-- Takes  forgotten: name, token.
-- Gives  path
select distinct rejection.path
from rejection
inner join forgotten
    on position(forgotten.name in rejection.excerpt) > 0
    or position(convert_to(forgotten.name, 'UTF8') in rejection.raw) > 0
    or position(forgotten.name in rejection.detail) > 0
    -- JSON may also escape a slash.
    or position(forgotten.escaped in replace(lower(rejection.excerpt), '\/', '/')) > 0
    or position(
        replace(forgotten.escaped, '\', '\\') in replace(lower(encode(rejection.raw, 'escape')), '\\/', '/')
    ) > 0
order by rejection.path
