-- Lists the chains with a purchase that is not plainly served: for missing_delivery, and for what was owed at the end
-- of a month (carried_owed.sql).
--
-- A purchase is served by its own delivery in its month, or it owes none. The later purchases of a subscription that is
-- delivered once are served by the first.
--
-- Takes  matched.
-- Fills  exception_hint; matched: is_served_by_chain of first purchases.

-- The purchases that another one of their chain stands for, with the original transaction beside them.
create temporary table later_purchase on commit drop as
select
    later.environment,
    later.transaction_number,
    later.original_number,
    later.product_id,
    later.is_completed,
    later.purchased_at,
    later.delivered_at,
    original.transaction_number is null as lacks_original,
    -- Evidence without an expiry makes it another type, if the catalogue names none.
    coalesce(original.product_type <> 'auto_renewable', false) as has_other_type,
    original.purchased_at as first_purchased_at,
    original.delivered_at as first_delivered_at
from matched as later
left join matched as original
    on later.original_number = original.transaction_number
    -- It may name another original itself. Then it belongs to another chain.
    and later.original_number = original.original_number
    and later.environment = original.environment
    and later.product_id = original.product_id
    and original.is_completed
where later.is_configured and later.is_served_by_chain;

-- Without the original transaction, the earliest purchase that is known stands for its chain.
create temporary table first_purchase on commit drop as
select distinct on (environment, original_number, product_id)
    environment,
    original_number,
    product_id,
    transaction_number,
    purchased_at,
    delivered_at
from later_purchase
where lacks_original and is_completed
order by
    environment,
    original_number,
    product_id,
    purchased_at,
    identifier_order(transaction_number);

analyze first_purchase;

update matched
set is_served_by_chain = false
from first_purchase
where
    matched.environment = first_purchase.environment
    and matched.transaction_number = first_purchase.transaction_number;

update later_purchase
set
    first_purchased_at = first_purchase.purchased_at,
    first_delivered_at = first_purchase.delivered_at
from first_purchase
where
    later_purchase.lacks_original
    and later_purchase.environment = first_purchase.environment
    and later_purchase.original_number = first_purchase.original_number
    and later_purchase.product_id = first_purchase.product_id;

insert into exception_hint (chain_number)
select original_number
from later_purchase
where
    has_other_type
    or (transaction_number, environment) not in (select transaction_number, environment from first_purchase)
    and (
        is_completed and (first_purchased_at < purchased_at) is not true
        -- The first delivery of a chain says where and when the chain was served.
        or delivered_at is not null and (first_delivered_at < delivered_at) is not true
    );

drop table later_purchase;

drop table first_purchase;

insert into exception_hint (chain_number)
with

-- The books begin at this instant or later. A night that judges a part sees only a part of the delivery records.
earliest as materialized (

    select
        night.time_zone,
        night.as_of,
        coalesce(
            night.books_begin,
            least(
                (
                    select min(delivery_record.occurred_at)
                    from delivery_record
                    where delivery_record.occurred_at <= night.as_of
                ),
                (
                    select carried_log_hour.hour + carried_log_hour.seconds[1] * interval '1 second'
                    from carried_log_hour
                    order by carried_log_hour.hour
                    limit 1
                )
            ),
            'infinity'
        ) as begin_at
    from night

)

select matched.original_number
from matched
where
    matched.is_configured
    and matched.is_completed
    and not matched.is_served_by_chain
    and is_our_delivery(matched.delivery)
    and matched.purchased_at >= (select begin_at from earliest)
    and case
        when matched.delivered_at is null
            then matched.delivery = 'server' or matched.due_at > (select as_of from earliest)
        else
            matched.delivered_at
            >= (
                date_trunc('month', matched.purchased_at at time zone (select time_zone from earliest))
                + interval '1 month'
            ) at time zone (select time_zone from earliest)
    end
