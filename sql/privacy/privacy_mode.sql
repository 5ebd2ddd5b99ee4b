-- Returns one row: how the names in the tables were made.
select
    mode,
    encode(key_check, 'hex') as key_check,
    encode(salt, 'hex') as salt
from tieout.privacy
