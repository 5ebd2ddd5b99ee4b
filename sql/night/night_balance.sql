-- Returns the pairs of control totals that must be equal: each transaction is the completed purchase of its family or
-- restored, each delivery is placed, no two findings are equal, each delivery that is due is delivered, missing or
-- uncertain, and each completed purchase counts in one class of obligations.
--
-- Gives  measure: one word; counted, count; summed, sum: what each number of the pair counts, and the number
with

purchase as (

    select coalesce(sum(restored_transactions), 0) + count(*) filter (where is_completed) as transactions
    from family

),

obligation_total as (

    select
        sum(value) filter (where measure = 'due') as due,
        sum(value) filter (where measure in ('delivered', 'missing', 'uncertain')) as parts
    from compared
    where section = 'obligation'

),

family_total as (

    select
        coalesce(sum(value) filter (where measure = 'completed'), 0) as completed,
        coalesce(sum(value) filter (where measure = 'judged'), 0) as judged
    from carried_total
    where section = 'families'

)

select
    'transactions' as measure,
    'transactions' as counted,
    (select count(*) from member) as count,
    'purchases and restored transactions' as summed,
    (select transactions from purchase) as sum
union all
select
    'deliveries',
    'deliveries',
    (select count(*) from delivery),
    'deliveries placed',
    (select count(*) from attempt)
union all
select
    'findings',
    'findings',
    (select count(*) from found),
    'different findings',
    (
        select count(*)
        from (
            select distinct
                rule,
                environment,
                subject
            from found
        ) as one
    )
union all
select
    'due',
    'deliveries due',
    due,
    'delivered, missing and uncertain ones',
    parts
from obligation_total
union all
select
    'completed',
    'completed purchases',
    completed,
    'compared and not compared ones',
    judged
from family_total
