-- Adds the token of an account that was forgotten before, so that the records that contain it are found.
--
-- Takes  $1: the token.
-- Fills  forgotten, forgotten_spelling (forget_start.sql)
with

given as (

    insert into forgotten (name, token)
    values ($1, $1)

)

insert into forgotten_spelling (spelling, bytes)
values ($1, convert_to($1, 'UTF8'))
