-- Creates temporary tables with the exceptions' part of the ledger, and leaves the other chains in `matched`.
--
-- The tables then hide those of the ledger, so that the rules judge this part alone. A random sample of the matched
-- chains is judged by the rules too, at least one chain; as-of selects it.
--
-- Takes          matched, exception_hint, stray_delivery; tieout.chains_per_sample: of how many chains one is sampled,
--                or empty for no sample.
-- Leaves behind  exception: the chains that the rules judge; sampled: the pairs of those that would have matched;
--                exception_store_transaction, exception_delivery_record: their part of the ledger.
--
-- Gives  matched: the number of transactions; sampled_chains

create temporary table exception on commit drop as
select distinct chain_number
from exception_hint
where chain_number is not null;

analyze exception;

create temporary table sampled on commit drop as
with

-- Few chains are left after this, so that the exceptions are looked up for few.
chosen as materialized (

    select *
    from matched
    where
        -- Without a sample, nothing is hashed.
        current_setting('tieout.chains_per_sample') <> ''
        and hashint8extended(original_number, (select extract(epoch from as_of)::bigint from night))
        % (select nullif(current_setting('tieout.chains_per_sample'), '')::bigint)
        = 0

),

drawn as materialized (

    select *
    from chosen
    where not exists (select from exception where exception.chain_number = chosen.original_number)

),

-- Few chains can have none that is drawn; then the one with the smallest hash is the sample. The conditions without a
-- column are tested first and once. So if a chain is drawn, this reads no chain.
smallest as materialized (

    select original_number
    from matched
    where
        current_setting('tieout.chains_per_sample') <> ''
        and not exists (select from drawn)
        -- A row of a delivery record alone has no chain.
        and original_number is not null
        and original_number not in (select chain_number from exception)
    order by
        hashint8extended(original_number, (select extract(epoch from as_of)::bigint from night)),
        original_number
    limit 1

)

select *
from drawn
union all
select matched.*
from smallest
inner join matched on smallest.original_number = matched.original_number;

insert into exception (chain_number)
select distinct original_number
from sampled;

-- A row of a delivery record alone has no chain.
delete from matched
where transaction_number is null;

delete from matched
using exception
where matched.original_number = exception.chain_number;

create temporary table exception_store_transaction on commit drop as
select ledger.*
from exception
inner join store_transaction as ledger on exception.chain_number = ledger.original_number;

analyze exception_store_transaction (
    transaction_number, transaction_id, environment, original_transaction_id, product_id, web_order_line_item_id,
    first_purchased_at
);

-- All records of a stray delivery are stray, so each has its transaction here.
create temporary table exception_delivery_record on commit drop as
select ledger.*
from delivery_record as ledger
where
    ledger.transaction_number in (
        select transaction_number from exception_store_transaction
        union all
        select transaction_number from stray_delivery
    );

analyze exception_delivery_record (
    delivery_id, transaction_id, product_id, occurred_at, original_transaction_id, web_order_line_item_id
);

drop table exception_hint, stray_delivery;

select
    (select count(*) from matched) as matched,
    (select count(distinct original_number) from sampled) as sampled_chains
