-- Returns one row: whether files of one of these folders were loaded.
--
-- Takes  $1: the names of the folders, an array.
-- Gives  is_known
select exists (select from tieout.input_file where folder = any($1::text [])) as is_known
