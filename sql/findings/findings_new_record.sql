-- Finds the records in the files that came since the last night.
--
-- It runs with enable_seqscan off: the records are found by the index of their file or by their key, and the history is
-- not read.
--
-- Takes  new_file (findings_things.sql).
-- Leaves behind  new_evidence, new_delivery: the records in new files;
--                differing_piece: the evidence of transactions about which new evidence differs from other evidence.

-- A run of a past day can have loaded the files, so these are not the staging tables. A new file has a number above
-- all files of earlier nights, so the limit finds its records by their index.
create temporary table new_evidence on commit drop as
select
    evidence.transaction_number,
    evidence.transaction_id,
    evidence.original_number,
    evidence.line_item_number,
    evidence.product_id,
    evidence.account_id,
    evidence.account_token,
    evidence.purchased_at,
    evidence.cancelled_at,
    evidence.file_id,
    evidence.line,
    evidence.is_lone
from evidence
where
    evidence.file_id >= (select min(file_id) from new_file)
    and evidence.file_id in (select file_id from new_file);

create temporary table new_delivery on commit drop as
select
    delivery_record.delivery_id,
    delivery_record.account_id,
    delivery_record.file_id,
    delivery_record.line
from delivery_record
where
    delivery_record.file_id >= (select min(file_id) from new_file)
    and delivery_record.file_id in (select file_id from new_file);

analyze new_evidence;

analyze new_delivery;

-- They are few, so that they are looked up by their key.
create temporary table differing_piece on commit drop as
select
    differing.transaction_number,
    piece.original_number,
    recorded_product.product_id,
    piece.file_id
from (
    select distinct transaction_number
    from new_evidence
    where not is_lone
) as differing
inner join differing_evidence as piece using (transaction_number)
inner join recorded_product on piece.product_number = recorded_product.product_number;

analyze differing_piece
