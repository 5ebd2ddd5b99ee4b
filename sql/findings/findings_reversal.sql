-- Finds tonight's transactions that reverse a refund, so that a delivery is no longer without a purchase.
--
-- It adds those that findings_records.sql does not see: a transaction that was loaded before, and one that repeats what
-- it said before the refund, so that only its newest copy is tonight's. The newest copy has a file and no line.
--
-- Takes  resolved_tonight (findings_live.sql), numbered, last_night, new_file (findings_things.sql), and member.
-- Fills  resolving_record (findings_records.sql)
create temporary table reversing on commit drop as
select
    reversed.about_id,
    evidence.transaction_id,
    evidence.file_id,
    evidence.line,
    evidence.evidence_at,
    evidence.last_file_id,
    evidence.last_evidence_at
from (
    select
        about_id,
        number
    from numbered
    where
        exists (select 1 from resolved_tonight where rule = 'delivery_without_purchase')
        and number in (select transaction_number from member where reversed_refunds is not null)
) as reversed
inner join evidence on reversed.number = evidence.transaction_number
where shows_no_refund(evidence.is_signed_transaction, evidence.cancelled_at, evidence.is_upgraded);

insert into resolving_record (about_id, kind, name, file_id, line)
select
    reversing.about_id,
    'evidence' as kind,
    reversing.transaction_id as name,
    reversing.file_id,
    reversing.line
from reversing
cross join last_night
cross join night
where reversing.evidence_at > last_night.as_of and reversing.evidence_at <= night.as_of
union
select
    reversing.about_id,
    'evidence',
    reversing.transaction_id,
    coalesce(reversing.last_file_id, reversing.file_id),
    null
from reversing
cross join last_night
cross join night
where
    reversing.last_evidence_at <= night.as_of
    and (
        reversing.last_evidence_at > last_night.as_of
        or reversing.last_file_id in (select file_id from new_file)
    );

drop table reversing
