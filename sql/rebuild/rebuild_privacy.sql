-- What is kept for its history's sake, when a rebuild has changed how names are kept: in rejected records, in
-- subjects and in details names would stay that no table should hold any more.
--
-- Findings about sets of accounts and about devices are other findings under other names; the old ones go.
-- To be run when the lives of findings are written.
update rejection
set
    excerpt = '',
    raw = null
where excerpt <> '' or raw is not null;

delete from finding_event using finding
where
    finding_event.finding_id = finding.finding_id
    and finding.status = 'resolved'
    and finding.rule in ('shared_purchase', 'unfinished_delivery');

delete from finding
where finding.status = 'resolved' and finding.rule in ('shared_purchase', 'unfinished_delivery');

update finding
set detail = ''
where status = 'resolved' and detail <> ''
