-- Adds to the carried months of each product and server what tonight's files changed in the affected records.
--
-- Takes          before_source_product, after_source_product: the months of the affected records before and after the
--                load.
-- Leaves behind  difference_source_product: the days that differ, with the change of the number of attempts.

create temporary table difference_source_product on commit drop as
select
    product_id,
    month,
    server,
    day,
    sum(attempts)::integer as attempts
from (
    select product_id, month, server, unnest(days) as day, unnest(attempts) as attempts
    from after_source_product
    union all
    select product_id, month, server, unnest(days), -unnest(attempts)
    from before_source_product
) as part
group by product_id, month, server, day
having sum(attempts) <> 0;

create index on difference_source_product (product_id, day);

analyze difference_source_product;

-- The months that differ, with the days that they have now.
create temporary table changed_source_product on commit drop as
with

touched as (

    select distinct
        product_id,
        month,
        server
    from difference_source_product

),

counted as (

    select
        product_id,
        month,
        server,
        day,
        sum(attempts)::integer as attempts
    from (
        select product_id, month, server, unnest(days) as day, unnest(attempts) as attempts
        from touched
        inner join carried_source_product using (product_id, month, server)
        union all
        select product_id, month, server, day, attempts
        from difference_source_product
    ) as part
    group by product_id, month, server, day

)

select
    product_id,
    month,
    server,
    array_agg(day order by day) filter (where attempts <> 0) as days,
    array_agg(attempts order by day) filter (where attempts <> 0) as attempts
from counted
group by product_id, month, server;

delete from carried_source_product
using changed_source_product
where
    carried_source_product.product_id = changed_source_product.product_id
    and carried_source_product.month = changed_source_product.month
    and carried_source_product.server = changed_source_product.server;

insert into carried_source_product (product_id, month, server, days, attempts)
select product_id, month, server, days, attempts
from changed_source_product
where days is not null;

drop table changed_source_product
