-- Inserts how the open findings of the run before became those of this run, and remembers them for the next run.
--
-- opening + new + reopened + reclassified_in - reclassified_out - resolved - acknowledged + returned = closing, and the
-- same for the amounts, with remeasured_amount. `balanced` asserts it, and that each opening is the closing of the run
-- before. It must run after tonight's files have acknowledged findings.

-- What changed, finding by finding.
create temporary table finding_change on commit drop as
select
    finding_id,
    standing.finding_id is not null as is_there,
    rolled_finding.finding_id is not null as was_there,
    standing.rule,
    standing.reason,
    standing.currency,
    standing.amount,
    standing.is_acknowledged,
    standing.first_run_id,
    rolled_finding.rule as rule_before,
    rolled_finding.reason as reason_before,
    rolled_finding.currency as currency_before,
    rolled_finding.amount as amount_before,
    rolled_finding.is_acknowledged as was_acknowledged,
    -- A finding under another reason or currency leaves one line and enters another.
    (
        standing.reason is distinct from rolled_finding.reason
        or standing.currency is distinct from rolled_finding.currency
    ) as is_elsewhere
from (
    select
        finding_id,
        rule,
        coalesce(reason, '') as reason,
        coalesce(currency, '') as currency,
        amount,
        status = 'acknowledged' as is_acknowledged,
        first_run_id
    from finding
    where status <> 'resolved'
) as standing
full join rolled_finding using (finding_id)
where
    (
        standing.reason, standing.currency, standing.amount::text, standing.is_acknowledged
    ) is distinct from (
        rolled_finding.reason,
        rolled_finding.currency,
        rolled_finding.amount::text,
        rolled_finding.is_acknowledged
    )
    or standing.finding_id is null
    or rolled_finding.finding_id is null;

with

movement as (

    select rule, reason, currency, 'opening' as measure, count(*) as findings, sum(amount) as amount
    from rolled_finding
    where not is_acknowledged
    group by rule, reason, currency
    union all
    select rule, coalesce(reason, ''), coalesce(currency, ''), 'closing', count(*), sum(amount)
    from finding
    where status in ('open', 'reopened')
    group by rule, reason, currency
    union all
    select
        finding_change.rule,
        finding_change.reason,
        finding_change.currency,
        case when finding_change.first_run_id = night.run_id then 'new' else 'reopened' end,
        1,
        finding_change.amount
    from finding_change
    cross join night
    where finding_change.is_there and not finding_change.was_there
    union all
    select rule_before, reason_before, currency_before, 'resolved', 1, amount_before
    from finding_change
    where not is_there and not was_acknowledged
    union all
    select rule_before, reason_before, currency_before, 'reclassified_out', 1, amount_before
    from finding_change
    where is_there and was_there and is_elsewhere and not was_acknowledged
    union all
    select rule, reason, currency, 'reclassified_in', 1, amount
    from finding_change
    where is_there and was_there and is_elsewhere and not was_acknowledged
    union all
    select rule, reason, currency, 'remeasured', 0, coalesce(amount, 0) - coalesce(amount_before, 0)
    from finding_change
    where is_there and was_there and not is_elsewhere and not was_acknowledged and amount is distinct from amount_before
    union all
    select rule, reason, currency, 'acknowledged', 1, amount
    from finding_change
    where is_there and is_acknowledged and was_acknowledged is distinct from true
    union all
    select rule, reason, currency, 'returned', 1, amount
    from finding_change
    where is_there and not is_acknowledged and was_acknowledged

),

line as (

    select
        rule,
        reason,
        currency,
        coalesce(sum(findings) filter (where measure = 'opening'), 0) as opening,
        coalesce(sum(findings) filter (where measure = 'new'), 0) as new,
        coalesce(sum(findings) filter (where measure = 'reopened'), 0) as reopened,
        coalesce(sum(findings) filter (where measure = 'reclassified_in'), 0) as reclassified_in,
        coalesce(sum(findings) filter (where measure = 'reclassified_out'), 0) as reclassified_out,
        coalesce(sum(findings) filter (where measure = 'resolved'), 0) as resolved,
        coalesce(sum(findings) filter (where measure = 'acknowledged'), 0) as acknowledged,
        coalesce(sum(findings) filter (where measure = 'returned'), 0) as returned,
        coalesce(sum(findings) filter (where measure = 'closing'), 0) as closing,
        sum(amount) filter (where measure = 'opening') as opening_amount,
        sum(amount) filter (where measure = 'new') as new_amount,
        sum(amount) filter (where measure = 'reopened') as reopened_amount,
        sum(amount) filter (where measure = 'remeasured') as remeasured_amount,
        sum(amount) filter (where measure = 'reclassified_in') as reclassified_in_amount,
        sum(amount) filter (where measure = 'reclassified_out') as reclassified_out_amount,
        sum(amount) filter (where measure = 'resolved') as resolved_amount,
        sum(amount) filter (where measure = 'acknowledged') as acknowledged_amount,
        sum(amount) filter (where measure = 'returned') as returned_amount,
        sum(amount) filter (where measure = 'closing') as closing_amount
    from movement
    group by rule, reason, currency

)

insert into roll_forward (
    run_id, rule, reason, currency, opening, new, reopened, reclassified_in, reclassified_out, resolved,
    acknowledged, returned, closing, opening_amount, new_amount, reopened_amount, remeasured_amount,
    reclassified_in_amount, reclassified_out_amount, resolved_amount, acknowledged_amount, returned_amount,
    closing_amount
)
select
    night.run_id,
    line.rule,
    line.reason,
    line.currency,
    line.opening,
    line.new,
    line.reopened,
    line.reclassified_in,
    line.reclassified_out,
    line.resolved,
    line.acknowledged,
    line.returned,
    balanced(
        line.closing,
        line.opening + line.new + line.reopened + line.reclassified_in - line.reclassified_out - line.resolved
        - line.acknowledged + line.returned,
        'The closing of roll_forward.csv'
    ),
    line.opening_amount,
    line.new_amount,
    line.reopened_amount,
    line.remeasured_amount,
    line.reclassified_in_amount,
    line.reclassified_out_amount,
    line.resolved_amount,
    line.acknowledged_amount,
    line.returned_amount,
    line.closing_amount
    + 0 * balanced(
        coalesce(line.closing_amount, 0),
        coalesce(line.opening_amount, 0) + coalesce(line.new_amount, 0) + coalesce(line.reopened_amount, 0)
        + coalesce(line.remeasured_amount, 0) + coalesce(line.reclassified_in_amount, 0)
        - coalesce(line.reclassified_out_amount, 0) - coalesce(line.resolved_amount, 0)
        - coalesce(line.acknowledged_amount, 0) + coalesce(line.returned_amount, 0),
        'The closing amount of roll_forward.csv'
    )
from line
cross join night;

select
    balanced(coalesce(line.opening, 0), coalesce(earlier.closing, 0), 'The opening of roll_forward.csv'),
    balanced(line.opening_amount, earlier.closing_amount, 'The opening amount of roll_forward.csv')
from (
    select roll_forward.*
    from roll_forward
    inner join night on roll_forward.run_id = night.run_id
) as line
full join (
    select roll_forward.*
    from roll_forward
    where
        roll_forward.run_id = (
            select max(newest.run_id)
            from roll_forward as newest
            where newest.run_id < (select night.run_id from night)
        )
) as earlier using (rule, reason, currency);

delete from rolled_finding
using finding_change
where finding_change.was_there and not finding_change.is_there
    and rolled_finding.finding_id = finding_change.finding_id;

insert into rolled_finding (finding_id, rule, reason, currency, amount, is_acknowledged)
select
    finding_id,
    rule,
    reason,
    currency,
    amount,
    is_acknowledged
from finding_change
where is_there
on conflict (finding_id) do update set
    reason = excluded.reason,
    currency = excluded.currency,
    amount = excluded.amount,
    is_acknowledged = excluded.is_acknowledged
