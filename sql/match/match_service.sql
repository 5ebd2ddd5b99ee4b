-- Lists the chains with a purchase that is not plainly served: for missing_delivery, and for what was owed at the end
-- of a month (carried_owed.sql).
--
-- A purchase is served by its own delivery in its month, or it owes none. The later purchases of a subscription that is
-- delivered once are served by the first.
--
-- Takes  matched.
-- Fills  exception_hint; matched: is_served_by_chain of first purchases.

-- The purchases that another one of their chain stands for.
create temporary table later_purchase on commit drop as
select
    purchased_at,
    delivered_at,
    is_completed,
    transaction_number,
    original_number,
    environment,
    product_id
from matched
where is_configured and is_served_by_chain;

-- The original transactions of their chains.
create temporary table original_purchase on commit drop as
select
    purchased_at,
    delivered_at,
    transaction_number,
    original_number,
    -- Evidence without an expiry makes it another type, if the catalogue names none.
    product_type <> 'auto_renewable' as has_other_type,
    environment,
    product_id
from matched
where
    is_completed
    -- It may name another original itself. Then it belongs to another chain.
    and transaction_number = original_number
    and transaction_number in (select original_number from later_purchase);

-- Without the original transaction, the earliest purchase that is known stands for its chain.
create temporary table first_purchase on commit drop as
select *
from original_purchase
union all
(
    select distinct on (later.environment, later.original_number, later.product_id)
        later.purchased_at,
        later.delivered_at,
        later.transaction_number,
        later.original_number,
        false as has_other_type,
        later.environment,
        later.product_id
    from later_purchase as later
    left join original_purchase using (original_number, environment, product_id)
    where later.is_completed and original_purchase.original_number is null
    order by
        later.environment,
        later.original_number,
        later.product_id,
        later.purchased_at,
        identifier_order(later.transaction_number)
);

analyze first_purchase;

update matched
set is_served_by_chain = false
from first_purchase
where
    first_purchase.transaction_number <> first_purchase.original_number
    and matched.environment = first_purchase.environment
    and matched.transaction_number = first_purchase.transaction_number;

insert into exception_hint (chain_number)
select later_purchase.original_number
from later_purchase
left join first_purchase using (original_number, environment, product_id)
where
    first_purchase.has_other_type
    or later_purchase.transaction_number is distinct from first_purchase.transaction_number
    and (
        later_purchase.is_completed and (first_purchase.purchased_at < later_purchase.purchased_at) is not true
        -- The first delivery of a chain says where and when the chain was served.
        or later_purchase.delivered_at is not null
        and (first_purchase.delivered_at < later_purchase.delivered_at) is not true
    );

drop table later_purchase, original_purchase, first_purchase;

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
                    select first_logged_at(carried_log_hour.hour, carried_log_hour.seconds)
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
