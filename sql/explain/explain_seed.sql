-- Finds the names from which an explanation starts (affected_round.sql): the names that were asked about, the names in
-- the key of a finding, and the newest purchases and deliveries of an account. It uses indexes only, except for a
-- device, which no index has.
--
-- Takes         tieout.explained: a transaction, delivery, web order line item, account or finding, or several
--               transactions or findings, one on each line; tieout.explained_as: device if it is one; and the tables of
--               affected_start.sql.
-- Leaves behind explained_finding, explained_name, explained_device: the findings and the names; explained_family: the
--               purchases of a finding about tokens, at most twenty; explained_transaction, explained_delivery: the
--               transactions and deliveries of each account and device; affected_… and frontier as in
--               affected_seed.sql.

create temporary table explained_finding on commit drop as
select
    finding.finding_id,
    finding.rule,
    finding.environment,
    finding.key,
    finding.subject
from (
    -- The beginning of a name is enough.
    select finding_beginning(named.name) as beginning
    from unnest(string_to_array(current_setting('tieout.explained'), chr(10))) as named (name)
) as asked
inner join finding on finding_name_begins(finding.name, asked.beginning);

create temporary table explained_name on commit drop as
select
    named.name,
    -- Null for a name that is the identifier of no record.
    identifier_number(named.name) as number
from (
    select
        asked.name,
        0 as place
    from unnest(string_to_array(current_setting('tieout.explained'), chr(10))) as asked (name)
    where current_setting('tieout.explained_as', true) is distinct from 'device'
    union all
    select
        named.name,
        named.place
    from explained_finding
    cross join
        unnest(
            array[
                (explained_finding.key).transaction_id,
                (explained_finding.key).original_transaction_id,
                (explained_finding.key).web_order_line_item_id,
                (explained_finding.key).delivery_id
            ] || (explained_finding.key).account_ids
        ) with ordinality as named (name, place)
) as named
-- No identifier is longer than 255 characters.
where named.name <> '' and length(named.name) <= 255 and named.place <= 20
group by named.name;

-- A worker of a cluster knows no setting of the job, so it gets a table.
create temporary table explained_device on commit drop as
select current_setting('tieout.explained') collate "C" as device_id
where current_setting('tieout.explained_as', true) = 'device';

-- The purchases that a set of appAccountTokens shares, because no index has a token: the original transaction or the
-- line item in the key of each family (judge_member.sql).
create temporary table explained_family on commit drop as
select
    identifier_number(substring(shared.family_key from '^[od] ([^ ]+)')) as original_number,
    identifier_number(substring(shared.family_key from '^w (.+)')) as line_item_number
from explained_finding
inner join carried_shared_family as shared on (explained_finding.key).account_tokens = shared.names
where shared.namespace <> ''
order by shared.environment, shared.family_key
limit 20;

create temporary table explained_delivery on commit drop as
select
    explained_name.name,
    delivery_record.delivery_id,
    max(delivery_record.occurred_at) as occurred_at
from explained_name
inner join delivery_record
    -- As in the index stored_delivery_account.
    on hashtext(explained_name.name) = hashtext(delivery_record.account_id)
    and explained_name.name = delivery_record.account_id
group by explained_name.name, delivery_record.delivery_id;

insert into explained_delivery (name, delivery_id, occurred_at)
select
    delivery_record.device_id,
    delivery_record.delivery_id,
    max(delivery_record.occurred_at)
from delivery_record
where
    -- Otherwise nothing is read.
    exists (select 1 from explained_device)
    and delivery_record.device_id in (select explained_device.device_id from explained_device)
group by delivery_record.device_id, delivery_record.delivery_id;

create temporary table explained_sighting on commit drop as
select
    explained_name.name,
    evidence.transaction_id,
    max(evidence.purchased_at) as at
from explained_name
inner join evidence on explained_name.name = evidence.account_id
group by explained_name.name, evidence.transaction_id;

insert into explained_sighting (name, transaction_id, at)
select
    evidence.device_id,
    evidence.transaction_id,
    max(evidence.purchased_at)
from evidence
where
    exists (select 1 from explained_device)
    and evidence.device_id in (select explained_device.device_id from explained_device)
group by evidence.device_id, evidence.transaction_id;

-- What apps report.
insert into explained_sighting (name, transaction_id, at)
select
    reported.name,
    reported.transaction_id,
    reported.at
from (
    select
        device_id as name,
        coalesce(transaction_id, original_transaction_id) as transaction_id,
        occurred_at as at
    from client_transaction
    where
        exists (select 1 from explained_device)
        and device_id in (select explained_device.device_id from explained_device)
    union all
    select
        client_transaction.account_id,
        coalesce(client_transaction.transaction_id, client_transaction.original_transaction_id),
        client_transaction.occurred_at
    from explained_name
    inner join client_transaction on explained_name.name = client_transaction.account_id
) as reported
where reported.transaction_id is not null;

create temporary table explained_transaction on commit drop as
select
    name,
    identifier_number(transaction_id) as transaction_number,
    transaction_id,
    max(at) as purchased_at
from explained_sighting
group by name, transaction_id;

insert into affected_delivery (delivery_id)
select name from explained_name
union
select newest.delivery_id
from (
    select
        delivery_id,
        row_number() over (partition by name order by occurred_at desc, delivery_id) as place
    from explained_delivery
) as newest
where newest.place <= 100;

insert into affected_transaction (transaction_number)
select number from explained_name where number is not null
union
select original_number from explained_family where original_number is not null
union
select newest.transaction_number
from (
    select
        transaction_number,
        row_number() over (partition by name order by purchased_at desc, transaction_id) as place
    from explained_transaction
) as newest
where newest.place <= 100
union
-- A missing delivery is shown, however old it is.
select missed.transaction_number
from (
    select
        explained_transaction.transaction_number,
        row_number() over (
            partition by explained_transaction.name
            order by explained_transaction.purchased_at desc, explained_transaction.transaction_id
        ) as place
    from explained_transaction
    inner join carried_missing_delivery
        on explained_transaction.transaction_id = carried_missing_delivery.transaction_id
) as missed
where missed.place <= 200
union
-- The transactions of a finding about a product. These are open items, not the history.
(
    select identifier_number(carried_invalid_sighting.transaction_id)
    from explained_finding
    inner join carried_invalid_sighting
        on explained_finding.rule = 'invalid_product_id'
        and (explained_finding.key).product_id = carried_invalid_sighting.product_id
        and (explained_finding.key).product_reason = carried_invalid_sighting.reason
    order by carried_invalid_sighting.seen_at, carried_invalid_sighting.record_id
    limit 5
);

insert into affected_line_item (line_item_number)
select number from explained_name where number is not null
union
select line_item_number from explained_family where line_item_number is not null;

insert into frontier (transaction_number, line_item_number, delivery_id)
select transaction_number, null, null from affected_transaction
union all
select null, line_item_number, null from affected_line_item
union all
select null, null, delivery_id from affected_delivery;

analyze frontier
