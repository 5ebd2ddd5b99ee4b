-- Returns the uncertain deliveries of a product, or of the products that a server served in the days before the
-- purchase (serving_days): the log of this server has nothing for their time.
--
-- Takes  tieout.explained_as: product, server or error; tieout.explained_name
-- Gives  environment, obligation_key
with

asked as (

    select
        current_setting('tieout.explained_as') as kind,
        current_setting('tieout.explained_name') collate "C" as name

),

uncertain as (

    select
        environment,
        obligation_key,
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
        and source.month >= first_serving_month(bought.bought_on)
        and source.month < bought.bought_on
    where asked.kind = 'server' and is_served_before(bought.bought_on, source.days)

)

select
    uncertain.environment,
    uncertain.obligation_key
from uncertain
cross join asked
left join serving using (product_id, bought_on)
where
    case asked.kind
        when 'product' then uncertain.product_id = asked.name
        else serving.product_id is not null
    end
