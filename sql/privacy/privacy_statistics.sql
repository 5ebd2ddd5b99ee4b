-- Makes the planner's statistics again without forgotten names.
--
-- PostgreSQL keeps the commonest values of each column, and values between them. A night analyzes only tables that have
-- grown much, so a name would stay there. The program has set the size of the sample.
--
-- Takes  tieout.is_distributed
do $$
declare
    analyzed record;
begin
    for analyzed in
        select distinct tablename as name
        from pg_stats
        where
            schemaname = 'tieout'
            -- The program analyzes them on the workers.
            and not (
                current_setting('tieout.is_distributed', true) is not distinct from 'true'
                and tablename in ('stored_evidence', 'merged_transaction', 'stored_delivery')
            )
    loop
        execute format('analyze tieout.%I', analyzed.name);
    end loop;
end
$$
