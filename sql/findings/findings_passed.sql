-- Returns whether a day has passed, so that an acknowledgement until that day would not hold.
--
-- Takes  $1: the day; $2: the time zone of the settings
-- Gives  has_passed
select $1::date < (clock_timestamp() at time zone $2)::date as has_passed
