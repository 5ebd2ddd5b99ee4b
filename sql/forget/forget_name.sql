-- Records that a token replaces a name. Only the digest of the name is kept, so that no rebuild restores the name.
--
-- Takes  $1: the name.
--        $2: the token.
--        $3: the digest of the name, in hexadecimal digits.
--        $4: an array with the spellings of the name.
--        $5: whether it is a device or an appAccountToken that only the forgotten account used.
-- Fills  forgotten, forgotten_spelling (forget_start.sql), forgotten_name
with

given as (

    insert into forgotten (name, token)
    values ($1, $2)

),

spelled as (

    insert into forgotten_spelling (spelling, bytes)
    select
        listed.spelling,
        convert_to(listed.spelling, 'UTF8')
    from unnest($4::text[]) as listed (spelling)

)

insert into forgotten_name (digest, token, is_companion)
values (decode($3, 'hex'), $2, $5::boolean)
on conflict (digest) do nothing
