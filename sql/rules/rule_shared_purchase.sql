-- Shared purchase: one purchase used by several accounts.
--
-- Finds      sets of accounts that evidence and deliveries of one family name together, when they are
--            more than allowed; one finding for each set, a warning from five accounts on. Sets of Apple's
--            appAccountToken likewise: they are names of their own, and never compared with accounts.
--
-- Gives  level, environment, subject, reason, detail
select
    case when accounts >= 5 then 'warning' else 'info' end as level,
    '' as environment,
    subject,
    null as reason,
    format('accounts: %s, families: %s', accounts, count(*)) as detail
from carried_shared_family
group by subject, accounts
