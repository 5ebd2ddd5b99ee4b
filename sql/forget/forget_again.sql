-- Adds the token of an account that was forgotten before, so that the records that contain it are found.
--
-- Takes  $1: the token.
insert into forgotten (name, token)
values ($1, $1)
