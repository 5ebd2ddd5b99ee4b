-- The environments that evidence knows: a reach looks for each name in each of them.
--
-- Leaves behind used_environment.

create temporary table used_environment (
    environment text collate "C" primary key
) on commit drop;

with recursive

-- From one environment to the next: a key that begins with few different values.
used as (

    (
        select store_transaction.environment
        from store_transaction
        order by store_transaction.environment
        limit 1
    )
    union all
    select following.environment
    from used
    cross join lateral (
        select store_transaction.environment
        from store_transaction
        where store_transaction.environment > used.environment
        order by store_transaction.environment
        limit 1
    ) as following

)

insert into used_environment (environment)
select environment from used
