-- Returns one row for each delivery that the night considers: the record that applies at as-of, in the environment that
-- it belongs to, with the family of its transaction if that is known.
with

-- `offset 0` stops the planner from merging this query into the ones below. Otherwise it would combine all rows of the
-- table with all hashes.
considered as not materialized (

    select
        delivery_record.*,
        hashtextextended(delivery_record.delivery_id, 0) as delivery_hash
    from delivery_record
    cross join night
    where delivery_record.occurred_at <= night.as_of
    offset 0

),

-- Most deliveries have one record and do not have to be sorted. Ids that share a hash only add a few rows to the sort.
shared_hash as materialized (

    select delivery_hash
    from (
        -- Counting sorted numbers is faster than hashing a million groups.
        select delivery_hash
        from considered
        order by delivery_hash
    ) as hashed
    group by delivery_hash
    having count(*) > 1

),

-- Whether another record of the same delivery, revision and instant names another transaction, product, account or
-- device.
retold as (

    select
        considered.*,
        min(considered.transaction_id) over same <> max(considered.transaction_id) over same
        or min(considered.product_id) over same <> max(considered.product_id) over same
        or min(coalesce(considered.account_id, '')) over same
        <> max(coalesce(considered.account_id, '')) over same
        or min(coalesce(considered.device_id, '')) over same
        <> max(coalesce(considered.device_id, '')) over same as differs
    from considered
    where exists (
        select
        from shared_hash
        where shared_hash.delivery_hash = considered.delivery_hash
    )
    window same as (
        partition by considered.delivery_id, considered.revision, considered.occurred_at
    )

),

standing as (

    select
        considered.*,
        false as differs,
        false as is_conflicting
    from considered
    where not exists (
        select
        from shared_hash
        where shared_hash.delivery_hash = considered.delivery_hash
    )
    union all
    (
        select distinct on (retold.delivery_id)
            retold.*,
            bool_or(retold.differs) over (partition by retold.delivery_id, retold.revision)
        from retold
        order by
            retold.delivery_id,
            standing_first(
                retold.revision,
                retold.occurred_at,
                retold.status,
                retold.transaction_id,
                retold.product_id,
                retold.environment,
                retold.original_transaction_id,
                retold.web_order_line_item_id,
                retold.account_id,
                retold.device_id,
                retold.server,
                retold.region,
                retold.app_version,
                retold.error,
                retold.bytes
            )
    )

),

-- The ids that only a sandbox transaction has (own_environment).
sandbox_only as (

    select distinct member.transaction_id
    from member
    where
        member.environment = 'Sandbox'
        and not exists (
            select
            from member as elsewhere
            where
                elsewhere.transaction_id = member.transaction_id
                and elsewhere.environment <> 'Sandbox'
        )

),

in_environment as (

    select
        standing.*,
        own_environment(standing.environment, sandbox_only.transaction_id is not null) as own_environment
    from standing
    left join sandbox_only
        on standing.environment is null and standing.transaction_id = sandbox_only.transaction_id

)

select
    in_environment.delivery_id,
    in_environment.own_environment as environment,
    in_environment.transaction_id,
    in_environment.product_id,
    in_environment.status,
    in_environment.occurred_at,
    in_environment.original_transaction_id,
    in_environment.web_order_line_item_id,
    in_environment.account_id,
    in_environment.device_id,
    in_environment.server,
    in_environment.region,
    in_environment.app_version,
    in_environment.error,
    in_environment.content_hash,
    in_environment.revision,
    -- Records of the highest revision contradict each other (rule_conflicting_delivery.sql).
    in_environment.is_conflicting,
    -- If it is missing, judge_attempt.sql finds the family in other ways.
    member.family_key as transaction_family_key,
    member.obligation_key as transaction_obligation_key
from in_environment
left join member
    on in_environment.own_environment = member.environment
    and in_environment.transaction_id = member.transaction_id
