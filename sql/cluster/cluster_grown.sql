-- Returns one row: whether tonight's staged rows are more than a tenth (grown_part) of a distributed ledger.
--
-- The coordinator knows no size of a distributed table; the newest night counted its transactions. Of smaller growth
-- the workers' autovacuum makes the statistics.
--
-- Gives  is_grown
select
    grown_part() * greatest(
        (select count(*) from staging_evidence),
        (select count(*) from staging_delivery)
    ) > coalesce(counted_transactions(), 0) as is_grown
