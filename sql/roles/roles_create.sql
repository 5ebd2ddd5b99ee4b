-- Creates the roles. An administrator of the server runs it in the database that the program will use.
--
-- It can run again at any time, also in a database that another role has used so far. Then tieout_owner becomes the
-- owner of the schema and its tables, views, types and functions.
--
--     tieout roles | psql --set ON_ERROR_STOP=1 --dbname tieout
--
-- The administrator is a superuser, or a role that may create roles and owns the database. Such a role becomes a member
-- of tieout_owner.
--
-- tieout_owner  owns the schema: it creates the tables and views, withdraws files, rebuilds, and forgets accounts.
-- tieout_job    has the rights that the nightly run and refresh-receipts need.
-- tieout_reader reads the views, and nothing else.
-- tieout_closer closes, approves and reopens periods. It cannot log in: grant it to the role of each such person.
--
-- The other roles may log in and have no passwords. The server decides how each role authenticates (pg_hba.conf).
--
-- An administrator runs this in a database in which others may have created functions and operators. So nothing is
-- looked up in their schemas: the search path contains only pg_catalog and pg_temp, and each call names its schema.
set search_path = pg_catalog, pg_temp;

do $$
declare
    name text;
    item record;
begin
    foreach name in array array['tieout_owner', 'tieout_job', 'tieout_reader', 'tieout_closer'] loop
        begin
            if not exists (select from pg_catalog.pg_roles where rolname = name) then
                execute pg_catalog.format(
                    'create role %I %s', name, case name when 'tieout_closer' then 'nologin' else 'login' end
                );
            end if;
        exception
            when duplicate_object or unique_violation then null;
        end;
    end loop;
    -- Without it, a role that is no superuser could create no schema for tieout_owner. The role that has created
    -- tieout_owner may grant it, also to itself.
    if not pg_catalog.pg_has_role('tieout_owner'::pg_catalog.name, 'usage') then
        grant tieout_owner to current_user;
    end if;
    execute pg_catalog.format(
        'grant connect, temporary on database %I to tieout_owner', pg_catalog.current_database()
    );
    execute pg_catalog.format(
        'grant connect, temporary on database %I to tieout_job', pg_catalog.current_database()
    );
    execute pg_catalog.format(
        'grant connect on database %I to tieout_reader', pg_catalog.current_database()
    );
    execute pg_catalog.format(
        'grant connect, temporary on database %I to tieout_closer', pg_catalog.current_database()
    );
    if pg_catalog.to_regnamespace('tieout') is null then
        create schema tieout authorization tieout_owner;
    end if;
    alter schema tieout owner to tieout_owner;
    create extension if not exists fuzzystrmatch with schema tieout;
    for item in
        select pg_class.relname
        from pg_catalog.pg_class
        where
            pg_class.relnamespace = 'tieout'::pg_catalog.regnamespace
            and pg_class.relkind in ('r', 'p', 'v')
    loop
        execute pg_catalog.format('alter table tieout.%I owner to tieout_owner', item.relname);
    end loop;
    for item in
        -- The composite types; the types of tables and views have their owner already.
        select pg_class.relname
        from pg_catalog.pg_class
        where
            pg_class.relnamespace = 'tieout'::pg_catalog.regnamespace
            and pg_class.relkind = 'c'
    loop
        execute pg_catalog.format('alter type tieout.%I owner to tieout_owner', item.relname);
    end loop;
    for item in
        -- The functions of an extension keep their owner.
        select pg_proc.oid::pg_catalog.regprocedure::pg_catalog.text as signature
        from pg_catalog.pg_proc
        where
            pg_proc.pronamespace = 'tieout'::pg_catalog.regnamespace
            and not exists (
                select
                from pg_catalog.pg_depend
                where
                    pg_depend.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass
                    and pg_depend.objid = pg_proc.oid
                    and pg_depend.deptype = 'e'
            )
    loop
        execute pg_catalog.format('alter function %s owner to tieout_owner', item.signature);
    end loop;
    -- On the coordinator of a cluster a run completes what an earlier one left prepared.
    if pg_catalog.to_regproc('pg_catalog.recover_prepared_transactions') is not null then
        grant execute on function pg_catalog.recover_prepared_transactions() to tieout_owner, tieout_job;
    end if;
end
$$
