-- Deletes texts with names from rejections and findings, after a rebuild has changed how names are kept.
--
-- Otherwise rejected records, subjects and details would keep names that no table may contain any more. Findings about
-- sets of accounts and about devices become other findings with other names, and the old ones are deleted. It must run
-- after findings_live.sql.
--
-- The rejections that the rebuild itself has recorded keep names as they are kept now. A detail does not become empty:
-- report_rejected_records.sql shows an empty one as one of many rejections.
update rejection
set
    detail = case when rejection.detail <> '' then 'The text was removed.' else '' end,
    excerpt = '',
    raw = null
from night
where
    rejection.run_id < night.run_id
    and (rejection.detail <> '' or rejection.excerpt <> '' or rejection.raw is not null);

delete from finding_event using finding
where
    finding_event.finding_id = finding.finding_id
    and finding.status = 'resolved'
    and names_person(finding.key);

delete from finding
where status = 'resolved' and names_person(key);

update finding
set detail = ''
where status = 'resolved' and detail <> ''
