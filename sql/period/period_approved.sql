-- Returns one row if a closing needs no further approval of this person: it is approved, and nothing has changed since.
--
-- If one person closed and approved it, another person can still approve it.
--
-- Takes  $1: the number of the closing.
with

approval as (

    select *
    from period_approval
    where closing_id = $1::integer
    order by approval_id desc
    limit 1

)

select approval.approval_id
from approval
inner join period_closing on approval.closing_id = period_closing.closing_id
where
    (not approval.is_single_signer or approval.approved_by = person())
    and changed_numbers(period_closing.first_day, period_closing.last_day, approval.run_id, null) is null
