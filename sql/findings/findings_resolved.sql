-- Inserts an event with the reason for each finding that was resolved tonight, as far as the judged data shows the
-- reason.
--
--   delivered_late     a missing or unfinished delivery has been delivered
--   refunded           the customer has the money back
--   catalogue_changed  a catalogue lists the product now, or has a new statement about it
--   no_longer_holds    everything else: evidence or a log came late, a window has ended, or a setting has changed
--
-- Takes  resolved_tonight (findings_live.sql), the judged relations of what was reached, and new_catalogue_statement
--        (load_catalogue.sql). It runs only if a finding was resolved, because it reads all judged data once and joins
--        it with the few findings.

-- A run that loads nothing has no new catalogue statements.
create temporary table if not exists new_catalogue_statement (like catalogue_statement) on commit drop;

create temporary table resolving_cause on commit drop as
with

told as materialized (

    select distinct product_id from new_catalogue_statement where member <> 'store_list_covers'

),

owed as (

    select
        resolved_tonight.finding_id,
        bool_or(obligation.is_delivered) as is_delivered,
        bool_or(obligation.is_refunded) as is_refunded
    from resolved_tonight
    inner join obligation
        on resolved_tonight.environment = obligation.environment
        and resolved_tonight.subject = obligation.subject
    where resolved_tonight.rule = 'missing_delivery'
    group by resolved_tonight.finding_id

),

-- The product of a family or chain follows the original transaction and may contain spaces. A line item or a purchase
-- date may follow it.
named as (

    select
        resolved_tonight.finding_id,
        regexp_replace(resolved_tonight.subject, '^[^ ]* ', '') as product_id
    from resolved_tonight
    where resolved_tonight.rule = 'missing_delivery'
    union
    select
        resolved_tonight.finding_id,
        regexp_replace(resolved_tonight.subject, '^[^ ]* (.*) [^ ]*$', '\1')
    from resolved_tonight
    where resolved_tonight.rule = 'missing_delivery'
    union
    -- In the subject of an invalid identifier, the reason follows the identifier.
    select
        resolved_tonight.finding_id,
        left(resolved_tonight.subject, -1 - length(resolved_tonight.reason))
    from resolved_tonight
    where resolved_tonight.rule = 'invalid_product_id' and resolved_tonight.reason <> 'reported_by_app'

),

latest as (

    select distinct on (resolved_tonight.finding_id)
        resolved_tonight.finding_id,
        attempt.environment,
        attempt.family_key,
        attempt.product_id,
        attempt.status
    from resolved_tonight
    inner join attempt
        on resolved_tonight.environment = attempt.environment
        and resolved_tonight.subject = concat_ws(' ', attempt.transaction_id, attempt.device_id)
    where resolved_tonight.rule = 'unfinished_delivery'
    order by
        resolved_tonight.finding_id,
        attempt.occurred_at desc,
        attempt.status,
        attempt.delivery_id

),

known as (

    select
        finding_id,
        1 as place,
        'delivered_late' as cause
    from owed
    where is_delivered
    union all
    select
        finding_id,
        2,
        'refunded'
    from owed
    where is_refunded
    union all
    select
        finding_id,
        1,
        'delivered_late'
    from latest
    where status = 'delivered'
    union all
    select
        latest.finding_id,
        2,
        'refunded'
    from latest
    inner join family using (environment, family_key)
    where family.refunded_at is not null
    union all
    select
        latest.finding_id,
        3,
        'catalogue_changed'
    from latest
    inner join told using (product_id)
    union all
    select
        named.finding_id,
        3,
        'catalogue_changed'
    from named
    inner join told using (product_id)
    union all
    -- A type that can be restored differs from the type that was found.
    select
        resolved_tonight.finding_id,
        3,
        'catalogue_changed'
    from resolved_tonight
    inner join member
        on resolved_tonight.environment = member.environment
        and resolved_tonight.subject = member.transaction_id
    where
        resolved_tonight.rule = 'unrestorable_restore'
        and member.product_type not in ('consumable', 'non_renewing')
    union all
    -- These rules are about catalogues only.
    select
        finding_id,
        3,
        'catalogue_changed'
    from resolved_tonight
    where rule in ('conflicting_catalogue', 'catalogue_disagreement')

)

select distinct on (finding_id)
    finding_id,
    cause
from known
order by
    finding_id,
    place;

analyze resolving_cause;

insert into finding_event (finding_id, run_id, event, cause)
select
    resolved_tonight.finding_id,
    night.run_id,
    'resolved',
    coalesce(resolving_cause.cause, 'no_longer_holds')
from resolved_tonight
cross join night
left join resolving_cause using (finding_id)
