-- Lists the chains in which a rule may find something because of one record, and the delivery records that are no
-- plain delivery of a known transaction. Here, a chain is everything with one original transaction, of any environment
-- and product.
--
-- An unnecessary chain only costs time. A chain that is not listed hides a finding. So a new rule needs a line here, in
-- match_pair.sql, match_family.sql or match_service.sql: what makes a chain interesting to it. Every night judges some
-- matched chains by the rules too (match_sample.sql).
--
-- Takes          matched (match_pair.sql).
-- Leaves behind  exception_hint: chain_number; stray_delivery: the delivery records that the rules judge.

-- Two records of one transaction, or one transaction in two environments. Counting sorted numbers is faster than
-- hashing them.
create temporary table repeated_transaction on commit drop as
select transaction_number
from (
    select coalesce(transaction_number, delivered_number) as transaction_number
    from matched
    order by 1
) as sorted
group by transaction_number
having count(*) > 1;

analyze repeated_transaction;

create temporary table repeated_delivery on commit drop as
select delivery_hash
from (
    select hashtextextended(delivery_id, 0) as delivery_hash
    from delivery_record
    order by 1
) as hashed
group by delivery_hash
having count(*) > 1;

analyze repeated_delivery;

-- A finding that is not resolved is judged again, so that the night can say why it is resolved.
create temporary table open_name on commit drop as
select
    named.name,
    identifier_number(named.name) as number
from finding
cross join lateral (
    values
    ((finding.key).transaction_id), ((finding.key).original_transaction_id), ((finding.key).delivery_id)
) as named (name)
where finding.status <> 'resolved' and named.name is not null
group by named.name;

analyze open_name;

-- A record can be here several times. Each of the three sets can have millions of rows, so each is joined.
create temporary table stray_delivery on commit drop as
select
    delivery_id,
    transaction_number,
    original_number,
    line_item_number
from delivery_record
where transaction_number in (select delivered_number from matched where not is_plainly_delivered)
union all
select
    delivery_id,
    transaction_number,
    original_number,
    line_item_number
from delivery_record
where hashtextextended(delivery_id, 0) in (select delivery_hash from repeated_delivery)
union all
select
    delivery_id,
    transaction_number,
    original_number,
    line_item_number
from delivery_record
where delivery_id in (select name from open_name);

analyze stray_delivery;

-- Transactions about which something will count later, or already counts: suspicious_receipt, refunds.
create temporary table marked_transaction on commit drop as
select
    transaction_number,
    original_number,
    first_purchased_at > (select as_of from night) as is_later
from store_transaction
where
    first_purchased_at > (select as_of from night)
    or cancelled_at is not null
    or is_refund_questioned
    or is_suspicious;

create temporary table claimed_name on commit drop as
select distinct identifier_number(named.identifier) as number
from client_transaction
cross join lateral (
    values (client_transaction.transaction_id), (client_transaction.original_transaction_id)
) as named (identifier)
where named.identifier is not null;

analyze claimed_name;

create temporary table exception_hint on commit drop as
-- What match_pair.sql does not call plain; duplicate_delivery, unfinished_delivery, and other_environment of
-- delivery_without_purchase.
select original_number as chain_number
from matched
where not is_plain
union all
select original_number
from matched
where transaction_number in (select transaction_number from repeated_transaction)
union all
select original_number
from marked_transaction
union all
-- The same id in another environment: the rules judge the deliveries of both, or of none.
select original_number
from matched
where transaction_number in (select transaction_number from marked_transaction where is_later)
union all
-- delivery_without_purchase, conflicting_delivery, wrong_product of missing_delivery: every chain that the record may
-- belong to.
select named.chain_number
from stray_delivery
cross join lateral (
    values (stray_delivery.transaction_number), (stray_delivery.original_number)
) as named (chain_number)
union all
select store_transaction.original_number
from stray_delivery
inner join store_transaction on stray_delivery.transaction_number = store_transaction.transaction_number
union all
select store_transaction.original_number
from stray_delivery
inner join store_transaction on stray_delivery.line_item_number = store_transaction.line_item_number
union all
-- purchase_without_receipt, and restores that only apps report: automatic_restore.
select number
from claimed_name
union all
select store_transaction.original_number
from claimed_name
inner join store_transaction on claimed_name.number = store_transaction.transaction_number
union all
select number
from open_name
union all
select store_transaction.original_number
from open_name
inner join store_transaction on open_name.number = store_transaction.transaction_number;

drop table claimed_name, repeated_transaction, marked_transaction, repeated_delivery, open_name
