-- Returns one finding for each identifier about which the lists of the app and of the App Store disagree.
--
-- Finds      unknown_to_store:    identifiers that an app list names and no list of the store knows, where
--                                 a list of the store names every product of that kind (warning);
--            not_offered_by_app:  identifiers that the store sells at as-of and no app list names, where any
--                                 app list names something (info).
-- Leaves out an identifier without a known type, unless the lists of the store cover all four kinds; products that are
--            not for sale, not yet or no longer; identifiers that only the company's own catalogue names.
-- Names      the closest identifier of the other side, unless more than a hundred disagree.
--
-- Levels     warning, info
-- Judges     the night
-- Exception  none
-- Reads      catalogue_fact, night, product
-- Gives      level, environment, reason, detail
-- Key        product_id, product_reason
-- Resolved   lists, catalogue, time
-- Sentence   The app and the App Store disagree about its product
-- Otherwise  app and App Store agree about its product
with

covered as (

    select distinct value as kind
    from catalogue_fact
    where product_id = '' and member = 'store_list_covers'

),

disagreed as (

    select
        product.product_id,
        'unknown_to_store' as reason
    from product
    left join covered on product.type = covered.kind
    where
        product.is_offered_by_app
        and not product.is_known_to_store
        and (covered.kind is not null or product.type is null and (select count(*) from covered) = 4)
    union all
    select
        product.product_id,
        'not_offered_by_app'
    from product
    cross join night
    where
        product.is_sold_by_store
        and not product.is_offered_by_app
        and coalesce(product.valid_from <= night.as_of, true)
        and coalesce(product.valid_to > night.as_of, true)
        and exists (select from product where is_offered_by_app)

),

-- If hundreds disagree, the lists are of two apps or one list is incomplete. Spelling does not explain that, and
-- comparing all identifiers with all others would take minutes.
few as (

    select
        product_id,
        reason
    from (
        select
            product_id,
            reason,
            count(*) over (partition by reason) as disagreements
        from disagreed
    ) as counted
    where disagreements <= 100

),

-- The identifiers of the other side. One of them may be the correct spelling.
side as materialized (

    select
        'unknown_to_store' as reason,
        array_agg(product_id) as product_ids
    from product
    where is_known_to_store
    union all
    select
        'not_offered_by_app' as reason,
        array_agg(product_id) as product_ids
    from product
    where is_offered_by_app

),

closest as (

    select
        few.product_id,
        closest_identifier(few.product_id, side.product_ids, null) as near_product_id
    from few
    inner join side using (reason)

)

select
    case disagreed.reason when 'unknown_to_store' then 'warning' else 'info' end as level,
    '' as environment,
    disagreed.product_id,
    disagreed.reason as product_reason,
    disagreed.reason,
    case disagreed.reason
        when 'unknown_to_store' then 'the app offers it and the App Store does not know it'
        else 'the App Store sells it and no app list names it'
    end || coalesce(', closest on the other side: ' || closest.near_product_id, '') as detail
from disagreed
left join closest on disagreed.product_id = closest.product_id
