-- Returns one row for each feed that has stopped, in alphabetical order, without those that are acknowledged.
--
-- Gives  feed; words: since when, and how it was before
select
    (found.key).feed as feed,
    found.detail as words
from found
left join finding
    on found.rule = finding.rule
    and found.environment = finding.environment
    and found.subject_hash = finding.subject_hash
where found.rule = 'stale_feed' and finding.status is distinct from 'acknowledged'
order by (found.key).feed
