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
-- Equal ones are ordered by the number of different characters of the id, then by their distance in time. Of other
-- purchases, deliveries that were made before this purchase come last.
--
-- Takes          sought, candidate (carried_near_delivery.sql), known_transaction, placed_record
--                (carried_placed_record.sql), and drops them.
-- Leaves behind  possible_match: the five best possible matches of each missing delivery; place 1 is the best one.

create temporary table possible_match on commit drop as
with

delivered as materialized (

    select
        placed_record.*,
        identifier_text(placed_record.transaction_number) as transaction_id
    from placed_record
    where placed_record.is_standing

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
                then case
                    when candidate.is_named then 3
                    when sought.environment = any(delivered.known_environments) then 5
                    else 4
                end
        end as rank,
        delivered.transaction_id as delivered_transaction_id,
        delivered.delivery_id,
        delivered.occurred_at
    from candidate
    inner join sought on candidate.sought_number = sought.sought_number
    inner join delivered on candidate.content_hash = delivered.content_hash

),

best as (

    select
        ranked.*,
        row_number() over (
            partition by ranked.sought_number
            order by
                ranked.rank,
                ranked.rank = 5 and ranked.occurred_at < ranked.purchased_at,
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

drop table sought, candidate, known_transaction, placed_record
