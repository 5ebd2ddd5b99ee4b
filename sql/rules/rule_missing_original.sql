-- Missing original: restored transactions of a purchase that no receipt shows.
--
-- Finds      families of what is no subscription that lack their completed purchase.
-- Leaves out subscriptions, whose first transaction stands for it.
--
-- Gives  level, environment, subject, reason, detail
select
    'info' as level,
    environment,
    subject,
    null as reason,
    format('restored transactions: %s, the first at %s', restored_transactions, csv_instant(first_restored_at))
        as detail
from family
where is_configured and not is_completed
