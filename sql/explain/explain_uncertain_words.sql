-- Returns one row: how many deliveries of a product, or of the products that a server served, are uncertain, as a
-- number and in a sentence.
--
-- Takes  tieout.explained_as: product, server or error; tieout.explained_name; uncertain_delivery
--        (explain_uncertain_delivery.sql)
-- Gives  deliveries, words: null if there is none
with

total as (

    select
        count(*) as deliveries,
        current_setting('tieout.explained_as') as kind,
        current_setting('tieout.explained_name') collate "C" as name
    from uncertain_delivery

)

select
    deliveries,
    case
        when deliveries > 0 then format(
            '%s%s uncertain: %s has nothing in some hours of %s time.',
            case deliveries when 1 then '1 delivery' else deliveries || ' deliveries' end,
            case kind when 'server' then ' of products that ' || name || ' serves' else '' end
            || case deliveries when 1 then ' is' else ' are' end,
            case kind
                when 'server' then 'its log'
                else 'the log, or that of each server of the product,'
            end,
            case deliveries when 1 then 'its' else 'their' end
        )
    end as words
from total
