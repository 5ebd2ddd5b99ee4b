-- Updates the listed identifier that is closest to each identifier that was seen and is not in the catalogue.
--
-- The result is kept from night to night: identifiers that were compared before are not compared again
-- (schema_distance.sql). To compare thousands of unknown identifiers with thousands of listed ones would take hours. So
-- a night makes at most four million comparisons, but it compares at least a hundred identifiers. Those that were seen
-- most often come first, and equally frequent ones are ordered by name.
--
-- Takes  carried_invalid_sighting, invalid_report, product.
-- Fills  carried_closest, carried_listed.

create temporary table wanted_closest on commit drop as
select
    seen.product_id,
    count(*) as sightings
from (
    select product_id from carried_invalid_sighting
    union all
    select product_id from invalid_report
) as seen
where not exists (select from product where product.product_id = seen.product_id)
group by seen.product_id
order by sightings desc, seen.product_id
limit (select greatest(100, 4000000 / greatest(count(*), 1)) from product);

analyze wanted_closest;

-- The closest identifier may be one that is no longer listed. Then all identifiers are compared again.
delete from carried_closest
where
    -- `not in` looks up each identifier once. With `not exists` inside `exists`, the planner may choose a nested loop
    -- over all pairs.
    exists (select from carried_listed where product_id not in (select product_id from product))
    or not exists (select from wanted_closest where wanted_closest.product_id = carried_closest.product_id);

update carried_closest
set closest_product_id = closest_identifier(
        carried_closest.product_id, listed.product_ids, carried_closest.closest_product_id
    )
from (
    select array_agg(product_id) as product_ids
    from product
    where not exists (select from carried_listed where carried_listed.product_id = product.product_id)
) as listed
where listed.product_ids is not null;

create temporary table new_closest on commit drop as
select
    wanted_closest.product_id,
    closest_identifier(wanted_closest.product_id, listed.product_ids, null) as closest_product_id
from wanted_closest
cross join (select array_agg(product_id) as product_ids from product) as listed
where not exists (select from carried_closest where carried_closest.product_id = wanted_closest.product_id);

insert into carried_closest (product_id, closest_product_id)
select
    product_id,
    closest_product_id
from new_closest;

delete from carried_listed
where not exists (select from product where product.product_id = carried_listed.product_id);

create temporary table newly_listed on commit drop as
select product_id
from product
where not exists (select from carried_listed where carried_listed.product_id = product.product_id);

insert into carried_listed (product_id)
select product_id from newly_listed;

-- For the reason in findings_live.sql.
do $$
begin
    if (select count(*) from newly_listed) >= 500 then
        analyze carried_listed;
    end if;
    if (select count(*) from new_closest) >= 500 then
        analyze carried_closest;
    end if;
end
$$;

drop table wanted_closest, new_closest, newly_listed
