-- Finds the possible matches of missing deliveries: deliveries that would have served a purchase if one of their fields
-- had another value. They are shown and never joined: no finding or count depends on them.
--
-- A possible match was delivered, according to its record at as-of, and differs in one thing from what was owed:
--
--   product_id      the right transaction, another product
--   environment     the right transaction and product, another environment
--   transaction_id  the right product and environment, under another spelling of the id; or to the same account
--                   within a day of the purchase, under an id that no evidence contains
--   other_purchase  the same under an id that evidence contains as another purchase: weaker
--
-- Equal ones are ordered by the number of different characters of the id, then by their distance in time.
--
-- One search serves all missing deliveries. It reads the ledger by inner joins with small tables, and all of it, also
-- while a night judges a part. Of an account, only the deliveries that are nearest in time are compared
-- (near_miss_deliveries): thousands of customers can share an account and a second.
--
-- Takes          missed: the missing deliveries, with columns of carried_missing_delivery.
-- Leaves behind  near_miss: the five best possible matches of each; place 1 is the best one.

create temporary table sought on commit drop as
with

spelled as (

    select
        missed.environment,
        missed.obligation_key,
        spelling.id
    from missed
    cross join unnest(missed.transaction_id || spellings(missed.transaction_id)) as spelling (id)

),

-- The purchase's transaction under all spellings that a record ever had.
named as (

    select
        spelled.environment,
        spelled.obligation_key,
        array_remove(
            array_agg(distinct coalesce(decimal_number(spelled.id), odd_identifier.identifier_number)), null
        ) as transaction_numbers
    from spelled
    left join odd_identifier on spelled.id = odd_identifier.identifier
    group by spelled.environment, spelled.obligation_key

)

select
    row_number() over () as sought_number,
    missed.environment,
    missed.obligation_key,
    missed.transaction_id,
    identifier_number(missed.transaction_id) as transaction_number,
    named.transaction_numbers,
    recorded_product.product_number,
    missed.account_id,
    missed.purchased_at,
    missed.purchased_at - near_miss_span() as begins_at,
    least(missed.purchased_at + near_miss_span(), night.as_of) as ends_at
from missed
cross join night
inner join named using (environment, obligation_key)
inner join recorded_product on missed.product_id = recorded_product.product_id;

analyze sought;

create temporary table sought_transaction on commit drop as
select distinct named.transaction_number
from sought
cross join unnest(sought.transaction_numbers) as named (transaction_number);

analyze sought_transaction;

-- The times for which the deliveries of an account and product are read. Times that overlap are one, so that each
-- delivery is read once.
create temporary table sought_time on commit drop as
select
    account.account_id,
    account.product_number,
    lower(time.span) as begins_at,
    upper(time.span) as ends_at
from (
    select
        account_id,
        product_number,
        range_agg(tstzrange(begins_at, ends_at, '[]')) as spans
    from sought
    where account_id is not null
    group by account_id, product_number
) as account
cross join unnest(account.spans) as time (span);

analyze sought_time;

create temporary table named_delivery on commit drop as
select delivery.*
from sought_transaction
inner join tieout.stored_delivery as delivery on sought_transaction.transaction_number = delivery.transaction_number
cross join night
where delivery.status_code = status_code('delivered') and delivery.occurred_at <= night.as_of;

-- The hashes are those of the index stored_delivery_account.
create temporary table account_delivery on commit drop as
select delivery.*
from sought_time
inner join tieout.stored_delivery as delivery
    on hashtext(sought_time.account_id) = hashtext(delivery.account_id)
    and hashtext(status_code('delivered') || sought_time.product_number::text)
    = hashtext(delivery.status_code || delivery.product_number::text)
    and sought_time.account_id = delivery.account_id
    and sought_time.product_number = delivery.product_number
    and delivery.occurred_at between sought_time.begins_at and sought_time.ends_at
where delivery.status_code = status_code('delivered');

create temporary table near_delivery on commit drop as
select * from named_delivery
union
select * from account_delivery;

create index on near_delivery (transaction_number);

create index on near_delivery (account_id, product_number, occurred_at, statement_hash);

analyze near_delivery;

create temporary table candidate on commit drop as
select
    sought.sought_number,
    delivery.statement_hash,
    true as is_named
from sought
cross join unnest(sought.transaction_numbers) as named (transaction_number)
inner join near_delivery as delivery on named.transaction_number = delivery.transaction_number
union all
select
    sought.sought_number,
    nearest.statement_hash,
    false
from sought
cross join lateral (
    (
        select later.statement_hash
        from near_delivery as later
        where
            later.account_id = sought.account_id
            and later.product_number = sought.product_number
            and later.occurred_at >= sought.purchased_at
            and later.occurred_at <= sought.ends_at
            and later.transaction_number <> all(sought.transaction_numbers)
        order by later.occurred_at, later.statement_hash
        limit near_miss_deliveries()
    )
    union all
    (
        select earlier.statement_hash
        from near_delivery as earlier
        where
            earlier.account_id = sought.account_id
            and earlier.product_number = sought.product_number
            and earlier.occurred_at < sought.purchased_at
            and earlier.occurred_at >= sought.begins_at
            and earlier.transaction_number <> all(sought.transaction_numbers)
        order by earlier.occurred_at desc, earlier.statement_hash desc
        limit near_miss_deliveries()
    )
) as nearest;

analyze candidate;

create temporary table compared_delivery on commit drop as
select near_delivery.*
from near_delivery
where statement_hash in (select statement_hash from candidate);

analyze compared_delivery;

-- All records of these deliveries. Of several, one applies at as-of.
create temporary table compared_record on commit drop as
select record.*
from (select distinct delivery_id from compared_delivery) as compared
inner join tieout.stored_delivery as record on compared.delivery_id = record.delivery_id
cross join night
where record.occurred_at <= night.as_of;

create temporary table superseded on commit drop as
with

several as (

    select record.*
    from compared_record as record
    where
        record.delivery_id in (
            select delivery_id
            from compared_record
            group by delivery_id
            having count(*) > 1
        )

),

standing as (

    select distinct on (several.delivery_id)
        several.delivery_id,
        several.statement_hash
    from several
    inner join recorded_product on several.product_number = recorded_product.product_number
    order by
        several.delivery_id,
        standing_first(
            several.revision,
            several.occurred_at,
            status_name(several.status_code),
            identifier_text(several.transaction_number),
            recorded_product.product_id,
            several.environment,
            identifier_text(several.original_number),
            identifier_text(several.line_item_number),
            several.account_id,
            several.device_id,
            several.server,
            several.region,
            several.app_version,
            several.error,
            several.bytes
        )

)

select compared_delivery.statement_hash
from compared_delivery
inner join standing on compared_delivery.delivery_id = standing.delivery_id
where compared_delivery.statement_hash <> standing.statement_hash;

-- The transactions that evidence contains under the ids of these deliveries.
create temporary table compared_transaction on commit drop as
select
    ledger.environment,
    ledger.transaction_number,
    ledger.original_number,
    ledger.product_number,
    ledger.product_type,
    ledger.expires_at,
    ledger.line_item_number,
    ledger.first_purchased_at,
    ledger.first_original_purchased_at
from (select distinct transaction_number from compared_delivery) as compared
inner join tieout.store_transaction as ledger on compared.transaction_number = ledger.transaction_number;

create temporary table near_miss on commit drop as
with

catalogue_type as (

    select
        recorded_product.product_number,
        min(catalogue_statement.value) as product_type
    from catalogue_statement
    inner join recorded_product on catalogue_statement.product_id = recorded_product.product_id
    where catalogue_statement.member = 'type'
    group by recorded_product.product_number

),

known as materialized (

    select
        told.environment,
        told.transaction_number,
        bool_and(told.environment = 'Sandbox') over (partition by told.transaction_number) as is_sandbox_only
    from compared_transaction as told
    cross join night
    left join catalogue_type on told.product_number = catalogue_type.product_number
    where
        purchase_date(
            told.transaction_number = told.original_number,
            coalesce(catalogue_type.product_type, told.product_type),
            told.expires_at,
            told.line_item_number,
            told.first_purchased_at,
            told.first_original_purchased_at
        ) <= night.as_of

),

delivered as materialized (

    select
        compared_delivery.*,
        identifier_text(compared_delivery.transaction_number) as transaction_id,
        own_environment(compared_delivery.environment, coalesce(anywhere.is_sandbox_only, false)) as own_environment
    from compared_delivery
    left join (select distinct transaction_number, is_sandbox_only from known) as anywhere using (transaction_number)
    where compared_delivery.statement_hash not in (select statement_hash from superseded)

),

ranked as (

    select
        sought.*,
        delivered.statement_hash,
        case
            when delivered.transaction_number = sought.transaction_number
                then case
                    when
                        delivered.product_number <> sought.product_number
                        and delivered.own_environment = sought.environment
                        then 1
                    when
                        delivered.product_number = sought.product_number
                        and delivered.own_environment <> sought.environment
                        then 2
                end
            when
                delivered.product_number = sought.product_number
                and delivered.own_environment = sought.environment
                then case when candidate.is_named then 3 when known.transaction_number is null then 4 else 5 end
        end as rank,
        delivered.transaction_id as delivered_transaction_id,
        delivered.delivery_id,
        delivered.occurred_at
    from candidate
    inner join sought on candidate.sought_number = sought.sought_number
    inner join delivered on candidate.statement_hash = delivered.statement_hash
    left join known
        on sought.environment = known.environment
        and delivered.transaction_number = known.transaction_number

),

best as (

    select
        ranked.*,
        row_number() over (
            partition by ranked.sought_number
            order by
                ranked.rank,
                levenshtein(ranked.delivered_transaction_id, ranked.transaction_id),
                abs(extract(epoch from ranked.occurred_at - ranked.purchased_at)),
                ranked.delivery_id
        ) as place
    from ranked
    where ranked.rank is not null

)

select
    best.environment,
    best.obligation_key,
    best.place,
    (array['product_id', 'environment', 'transaction_id', 'transaction_id', 'other_purchase'])[best.rank] as differs,
    best.delivery_id,
    delivered.own_environment as delivered_environment,
    best.delivered_transaction_id,
    recorded_product.product_id as delivered_product_id,
    delivered.account_id as delivered_account_id,
    delivered.server,
    delivered.occurred_at,
    delivered.file_id,
    delivered.line
from best
inner join delivered on best.statement_hash = delivered.statement_hash
inner join recorded_product on delivered.product_number = recorded_product.product_number
where best.place <= 5;

drop table sought;

drop table sought_transaction;

drop table sought_time;

drop table named_delivery;

drop table account_delivery;

drop table near_delivery;

drop table candidate;

drop table compared_delivery;

drop table compared_record;

drop table superseded;

drop table compared_transaction
