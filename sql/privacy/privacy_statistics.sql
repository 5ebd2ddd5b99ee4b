-- Makes the planner's statistics again without forgotten names.
--
-- PostgreSQL keeps the commonest values of each column, and values between them. A night analyzes only tables that have
-- grown much, so a name would stay there.
do $$
declare
    analyzed record;
    usual_target text := current_setting('default_statistics_target');
begin
    -- The same sample as in load_key.sql.
    perform set_config('default_statistics_target', '25', true);
    for analyzed in select distinct tablename as name from pg_stats where schemaname = 'tieout' loop
        execute format('analyze tieout.%I', analyzed.name);
    end loop;
    perform set_config('default_statistics_target', usual_target, true);
end
$$
