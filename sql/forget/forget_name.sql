-- Records that a token replaces a name. Only the digest of the name is kept, so that no rebuild restores the name.
--
-- Takes  $1: the name.
--        $2: the token.
--        $3: the digest of the name, in hexadecimal digits.
--        $4: the person.
with

given as (

    insert into forgotten (name, token)
    values ($1, $2)

)

insert into forgotten_name (digest, token, forgotten_by)
values (decode($3, 'hex'), $2, $4)
on conflict (digest) do nothing
