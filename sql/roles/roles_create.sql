-- The roles, made by an administrator of the server in the database that is to be used. It can be run again
-- at any time, also on a database that another role has used so far: then it becomes tieout_owner's.
--
--     tieout roles | psql --set ON_ERROR_STOP=1 --dbname tieout
--
-- tieout_owner  owns the schema: upgrades it, withdraws files, rebuilds, forgets accounts.
-- tieout_job    what the nightly run and refresh-receipts need.
-- tieout_reader the views alone.
--
-- They may log in and have no passwords: how each proves itself is the server's affair (pg_hba.conf).
do $$
declare
    name text;
    item record;
begin
    foreach name in array array['tieout_owner', 'tieout_job', 'tieout_reader'] loop
        begin
            if not exists (select from pg_roles where rolname = name) then
                execute format('create role %I login', name);
            end if;
        exception
            when duplicate_object or unique_violation then null;
        end;
    end loop;
    execute format('grant connect, temporary on database %I to tieout_owner', current_database());
    execute format('grant connect, temporary on database %I to tieout_job', current_database());
    execute format('grant connect on database %I to tieout_reader', current_database());
    create extension if not exists fuzzystrmatch;
    if to_regnamespace('tieout') is null then
        create schema tieout authorization tieout_owner;
    end if;
    alter schema tieout owner to tieout_owner;
    for item in
        select relname
        from pg_class
        where relnamespace = 'tieout'::regnamespace and relkind in ('r', 'v')
    loop
        execute format('alter table tieout.%I owner to tieout_owner', item.relname);
    end loop;
    for item in
        select oid::regprocedure::text as signature
        from pg_proc
        where pronamespace = 'tieout'::regnamespace
    loop
        execute format('alter function %s owner to tieout_owner', item.signature);
    end loop;
end
$$
