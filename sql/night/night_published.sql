-- Returns whether an edition was published that stands for an ended month, so that a change of the month is restated.
--
-- Gives  has_published
select exists (select from published_month) as has_published
