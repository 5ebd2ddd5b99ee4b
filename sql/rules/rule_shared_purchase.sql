-- Returns one finding for each set of accounts that use one purchase together.
--
-- Finds      sets of accounts that evidence and deliveries of one family name together, if a set has more accounts than
--            allowed. There is one finding for each set; from five accounts (warned_accounts) on it is a warning. The
--            same holds for sets of Apple's appAccountToken, which are never compared with accounts.
--
-- Levels     warning, info
-- Judges     the night
-- Exception  match_pair.sql, match_family.sql
-- Reads      carried_shared_family
-- Gives      level, environment, reason, detail
-- Key        account_ids, account_tokens
-- Resolved   records
-- Sentence   Used by several accounts
-- Otherwise  no more accounts than allowed
select
    case when accounts >= warned_accounts() then 'warning' else 'info' end as level,
    '' as environment,
    case when namespace = '' then names end as account_ids,
    case when namespace <> '' then names end as account_tokens,
    null as reason,
    format(case when namespace = '' then 'accounts' else 'tokens' end || ': %s, families: %s', accounts, count(*))
        as detail
from carried_shared_family
group by namespace, names, accounts
