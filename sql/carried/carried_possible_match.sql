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
-- Takes          sought, near_delivery, candidate (carried_near_delivery.sql), and drops them.
-- Leaves behind  possible_match: the five best possible matches of each missing delivery; place 1 is the best one.

create temporary table compared_delivery on commit drop as
select near_delivery.*
from near_delivery
where content_hash in (select content_hash from candidate);

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
        several.content_hash
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

select compared_delivery.content_hash
from compared_delivery
inner join standing on compared_delivery.delivery_id = standing.delivery_id
where compared_delivery.content_hash <> standing.content_hash;

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

create temporary table possible_match on commit drop as
with

catalogue_type as (

    select
        recorded_product.product_number,
        min(catalogue_fact.value) as product_type
    from catalogue_fact
    inner join recorded_product on catalogue_fact.product_id = recorded_product.product_id
    where catalogue_fact.member = 'type'
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
    where compared_delivery.content_hash not in (select content_hash from superseded)

),

ranked as (

    select
        sought.*,
        delivered.content_hash,
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
    inner join delivered on candidate.content_hash = delivered.content_hash
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
inner join delivered on best.content_hash = delivered.content_hash
inner join recorded_product on delivered.product_number = recorded_product.product_number
where best.place <= 5;

drop table sought;

drop table near_delivery;

drop table candidate;

drop table compared_delivery;

drop table compared_record;

drop table superseded;

drop table compared_transaction
