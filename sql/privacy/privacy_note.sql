-- Records how the tables keep the names of accounts and devices, if that has changed.
--
-- Takes  $1: the mode.
--        $2: the code that shows whether a key is the same one, in hexadecimal digits; null without a key.
update privacy
set
    mode = $1,
    key_check = decode($2, 'hex')
where (mode, key_check) is distinct from ($1, decode($2, 'hex'))
