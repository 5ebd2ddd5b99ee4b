-- Finds the families with several members, and lists the chains in whose restores a rule may find something:
-- duplicate_restore, missing_original, shared_purchase.
--
-- One restore, or as many as the settings allow, is plain if purchase and restore are of one chain and product, name
-- one account at most, and the purchase was delivered itself.
--
-- Takes   matched, exception_hint.
-- Fills   exception_hint; matched: is_completed and disposition of restored subscriptions.

create temporary table repeated_line_item on commit drop as
select line_item_number
from (
    select line_item_number
    from matched
    where is_configured and product_type = 'auto_renewable'
    order by line_item_number
) as sorted
group by line_item_number
having count(*) > 1;

analyze repeated_line_item;

-- The members by which a family with several members is recognized. The product is the empty text for a subscription:
-- its line item is the family.
create temporary table repeated_member on commit drop as
select
    environment,
    transaction_number,
    original_number,
    product_id,
    case when product_type = 'auto_renewable' then line_item_number else original_number end as family_number,
    case when product_type = 'auto_renewable' then '' else product_id end as family_product_id,
    named_account_id,
    account_token,
    price,
    is_trial,
    is_offer,
    storefront,
    purchased_at,
    due_at,
    delivered_at
from matched
where
    is_configured
    and (
        not is_completed
        or product_type = 'auto_renewable'
        and line_item_number in (select line_item_number from repeated_line_item)
    );

analyze repeated_member;

-- The purchases that were restored.
create temporary table relative on commit drop as
select *
from repeated_member
union all
select
    environment,
    transaction_number,
    original_number,
    product_id,
    original_number,
    product_id,
    named_account_id,
    account_token,
    price,
    is_trial,
    is_offer,
    storefront,
    purchased_at,
    due_at,
    delivered_at
from matched
where
    is_configured
    and is_completed
    and product_type <> 'auto_renewable'
    and transaction_number in (select family_number from repeated_member where family_product_id <> '');

create temporary table placed_relative on commit drop as
select
    environment,
    transaction_number,
    original_number,
    family_product_id,
    row_number() over family_order as place,
    count(*) over family as members,
    min(named_account_id) over family <> max(named_account_id) over family
    or min(account_token) over family <> max(account_token) over family
    or min(original_number) over family <> max(original_number) over family
    or min(product_id) over family <> max(product_id) over family
    -- A family of another product lacks its purchase.
    or family_product_id <> '' and not bool_or(transaction_number = original_number) over family
    -- The purchase takes what another id of its line item states (judge_line_item_price.sql).
    or family_product_id = ''
    and (
        first_value(price) over family_order is null and max(price) over family is not null
        or first_value(storefront) over family_order is null and max(storefront) over family is not null
        or bool_or(is_trial) over family <> bool_and(is_trial) over family
        or bool_or(is_offer) over family <> bool_and(is_offer) over family
    )
    -- A delivery for a restore also serves the purchase. While causes are looked for, the first delivery counts.
    or row_number() over family_order > 1
    and delivered_at is not null
    and (
        first_value(delivered_at) over family_order is null
        or first_value(due_at) over family_order >= night.causes_since
        and first_value(delivered_at) over family_order >= delivered_at
    ) as is_exception
from relative
cross join night
window
    family as (partition by environment, family_number, family_product_id),
    family_order as (
        partition by environment, family_number, family_product_id
        order by purchase_first(
                transaction_number = original_number, purchased_at, identifier_order(transaction_number)
            )
    );

insert into exception_hint (chain_number)
select placed_relative.original_number
from placed_relative
cross join night
where placed_relative.is_exception or placed_relative.members - 1 > night.restores_allowed;

create temporary table restored_subscription on commit drop as
select
    environment,
    transaction_number
from placed_relative
where place > 1 and family_product_id = '';

analyze restored_subscription;

update matched
set
    is_completed = false,
    disposition = case when disposition = 'family_shared' then disposition else 'restored' end
from restored_subscription
where
    matched.environment = restored_subscription.environment
    and matched.transaction_number = restored_subscription.transaction_number;

drop table repeated_line_item, repeated_member, relative, placed_relative, restored_subscription
