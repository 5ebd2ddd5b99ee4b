-- Removes the records of open lines whose files have grown. An open line is a last line without a line end.
--
-- The longer file contains the whole line, and the record of that line is among tonight's rows.
--
-- Takes          grown_file: the files as they were before.
-- Leaves behind  replaced_record: what the removed records name, if no row of tonight is the same record, and the file.

create temporary table taken_back on commit drop as
with

-- A file that was read again because a setting has changed has several ids.
grown as (

    select distinct one.file_id
    from grown_file
    inner join input_file as other on grown_file.file_id = other.file_id
    inner join input_file as one on other.sha256 = one.sha256 and other.folder = one.folder

),

marked as (

    update input_file
    set has_grown = true
    from grown
    where input_file.file_id = grown.file_id

),

gone as (

    delete from open_record using grown
    where open_record.file_id = grown.file_id
    returning open_record.file_id, open_record.kind, open_record.delivery_id, open_record.content_hash

)

select distinct
    gone.file_id,
    gone.kind,
    gone.delivery_id,
    gone.content_hash
from gone
-- The open line of another file may still contain the same record.
where not exists (
    select
    from open_record as other
    where
        other.content_hash = gone.content_hash
        and other.kind = gone.kind
        and other.file_id not in (select grown.file_id from grown)
);

analyze taken_back;

-- A record that no longer exists can have been what a finding rested on (findings_inputs.sql).
create temporary table replaced_record on commit drop as
select
    taken_back.file_id,
    taken_back.content_hash,
    delivery_record.delivery_id,
    delivery_record.transaction_id,
    delivery_record.original_transaction_id,
    delivery_record.product_id,
    delivery_record.account_id,
    delivery_record.server,
    delivery_record.app_version
from taken_back
inner join delivery_record
    on taken_back.delivery_id = delivery_record.delivery_id
    and taken_back.content_hash = delivery_record.content_hash
where taken_back.kind = 'delivery_record';

insert into replaced_record (
    file_id, content_hash, transaction_id, original_transaction_id, product_id, account_id, app_version
)
select
    taken_back.file_id,
    taken_back.content_hash,
    client_transaction.transaction_id,
    client_transaction.original_transaction_id,
    client_transaction.product_id,
    client_transaction.account_id,
    client_transaction.app_version
from taken_back
inner join client_transaction on taken_back.content_hash = client_transaction.content_hash
where taken_back.kind = 'client_transaction';

insert into replaced_record (file_id, content_hash, product_id)
select
    taken_back.file_id,
    taken_back.content_hash,
    client_invalid_product.product_id
from taken_back
inner join client_invalid_product on taken_back.content_hash = client_invalid_product.content_hash
where taken_back.kind = 'client_invalid_product';

-- A line that only got its line end is the same record.
delete from replaced_record
using staging_delivery
where replaced_record.content_hash = staging_delivery.content_hash;

delete from replaced_record
using staging_client_transaction
where replaced_record.content_hash = staging_client_transaction.content_hash;

delete from replaced_record
using staging_client_invalid_product
where replaced_record.content_hash = staging_client_invalid_product.content_hash;

select take_back(kind, delivery_id, content_hash)
from (
    select distinct kind, delivery_id, content_hash
    from taken_back
    where kind <> 'acknowledgement'
) as removed;

-- findings_file_acknowledgement.sql loads acknowledgements, later. An acknowledgement that the longer file also
-- contains stays.
delete from taken_back using staging_acknowledgement
where
    taken_back.kind = 'acknowledgement'
    and staging_acknowledgement.content_hash = taken_back.content_hash;

-- Locks the finding before its acknowledgement, in the same order as every other SQL statement.
update finding
set status = 'reopened'
from acknowledgement, taken_back
where
    finding.finding_id = acknowledgement.finding_id
    and finding.status = 'acknowledged'
    and acknowledgement.ended_because is null
    and taken_back.kind = 'acknowledgement'
    and acknowledgement.content_hash = taken_back.content_hash;

update acknowledgement
set
    ended_because = 'reopened',
    ended_note = 'Its line had no line end, and its content changed when the file grew.',
    ended_at = clock_timestamp(),
    ended_run_id = (select night.run_id from night)
from taken_back
where
    acknowledgement.ended_because is null
    and taken_back.kind = 'acknowledgement'
    and acknowledgement.content_hash = taken_back.content_hash;

update acknowledgement
set content_hash = null
from taken_back
where
    taken_back.kind = 'acknowledgement'
    and acknowledgement.content_hash = taken_back.content_hash;

-- The carried relations do not follow a run of a past day: the next night judges everything.
delete from judged
using night
inner join run on night.run_id = run.run_id
where run.is_of_past_day and exists (select from taken_back);

drop table taken_back
