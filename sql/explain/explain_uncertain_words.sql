-- Returns one row: how many deliveries of a product, or of the products that a server served in the days before the
-- purchase (serving_days), are uncertain, as a number and in a sentence. The log of this server has nothing for their
-- time.
--
-- Takes  tieout.explained_as: product, server or error; tieout.explained_name
-- Gives  deliveries, words: null if there is none
with

asked as (

    select
        current_setting('tieout.explained_as') as kind,
        current_setting('tieout.explained_name') collate "C" as name

),

uncertain as (

    select
        product_id,
        (purchased_at at time zone 'UTC')::date as bought_on
    from carried_missing_delivery
    where reason = 'no_records'

),

-- As in judge_unheard.sql, but only for this server.
serving as (

    select distinct
        bought.product_id,
        bought.bought_on
    from (select distinct product_id, bought_on from uncertain) as bought
    cross join asked
    inner join carried_source_product as source
        on asked.name = source.server
        and bought.product_id = source.product_id
        and is_served_before(bought.bought_on, source.month, source.days)
    where asked.kind = 'server'

),

total as (

    select count(*) as deliveries
    from uncertain
    cross join asked
    left join serving using (product_id, bought_on)
    where
        case asked.kind
            when 'product' then uncertain.product_id = asked.name
            else serving.product_id is not null
        end

)

select
    deliveries,
    case
        when deliveries > 0 then format(
            '%s%s uncertain: %s has nothing in some hours of %s time.',
            case deliveries when 1 then '1 delivery' else deliveries || ' deliveries' end,
            case asked.kind when 'server' then ' of products that ' || asked.name || ' serves' else '' end
            || case deliveries when 1 then ' is' else ' are' end,
            case asked.kind
                when 'server' then 'its log'
                else 'the log, or that of each server of the product,'
            end,
            case deliveries when 1 then 'its' else 'their' end
        )
    end as words
from total
cross join asked
