-- Returns what the Financial Reports of the five newest compared months lack, although the reports before them have it.
select
    to_char(lost.period_begin, 'FMDD Mon YYYY') || ' to ' || to_char(lost.period_end, 'FMDD Mon YYYY') as period,
    lost.words
from night
cross join lateral lost_region(night.as_of, night.revenue_since) as lost
order by lost.period_begin desc, lost.period_end desc
limit 5
