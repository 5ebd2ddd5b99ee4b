-- Returns one row for each content whose SHA-256 begins with given digits: those that were loaded, and those that were
-- withdrawn and never loaded.
--
-- Takes  $1: one to 64 hexadecimal digits in lower case.
with

given as (

    -- A range, so that an index finds the files.
    select
        decode(rpad($1, 64, '0'), 'hex') as lowest,
        decode(rpad($1, 64, 'f'), 'hex') as highest

)

select
    loaded.path,
    encode(loaded.sha256, 'hex') as sha256,
    loaded.bytes,
    true as is_loaded
from (
    select distinct on (input_file.sha256)
        input_file.path,
        input_file.sha256,
        input_file.bytes
    from input_file
    cross join given
    where input_file.sha256 between given.lowest and given.highest
    order by input_file.sha256, input_file.file_id
) as loaded
union all
select distinct
    withdrawal.path,
    encode(withdrawal.sha256, 'hex') as sha256,
    withdrawal.bytes,
    false as is_loaded
from withdrawal
cross join given
where
    withdrawal.sha256 between given.lowest and given.highest
    and not exists (select from input_file where input_file.sha256 = withdrawal.sha256)
order by is_loaded desc, sha256, path
