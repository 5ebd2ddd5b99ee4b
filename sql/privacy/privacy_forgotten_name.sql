-- Returns one row for each spelling of a forgotten name: its digest, and the token that replaces it.
select
    encode(digest, 'hex') as digest,
    token
from tieout.forgotten_name
