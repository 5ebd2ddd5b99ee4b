-- Returns one row: how the tables keep the names of accounts and devices.
select
    mode,
    encode(key_check, 'hex') as key_check,
    encode(salt, 'hex') as salt
from tieout.privacy
