-- Returns the number of all transactions of the ledger, as the planner estimates it. Of a distributed table the
-- coordinator knows no estimate; the newest night counted its transactions.
--
-- Takes  tieout.is_distributed: true if the ledger is on a cluster
-- Gives  transactions
select
    case
        when current_setting('tieout.is_distributed', true) = 'true'
            then coalesce(counted_transactions(), 0)
        else (
            select sum(reltuples)::bigint
            from pg_class
            where oid in ('tieout.lone_evidence'::regclass, 'tieout.merged_transaction'::regclass)
        )
    end as transactions
