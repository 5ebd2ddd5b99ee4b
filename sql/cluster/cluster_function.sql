-- Copies to the workers the functions of the ledger that are older than the extension, with the types that they name.
-- The extension itself copies those that are created after it.
--
-- The texts of functions name tables that only the coordinator has. So check_function_bodies must be off, or the
-- workers refuse them.

do $$
declare
    name regprocedure;
begin
    for name in
        select pg_proc.oid
        from pg_proc
        where
            pg_proc.pronamespace = 'tieout'::regnamespace
            and not exists (
                select
                from pg_dist_object
                where pg_dist_object.classid = 'pg_proc'::regclass and pg_dist_object.objid = pg_proc.oid
            )
            and not exists (
                select
                from pg_depend
                left join pg_class
                    on pg_depend.refclassid = 'pg_class'::regclass
                    and pg_depend.refobjid = pg_class.oid
                    -- The kind of a composite type.
                    and pg_class.relkind <> 'c'
                where
                    pg_depend.classid = 'pg_proc'::regclass
                    and pg_depend.objid = pg_proc.oid
                    -- A function of an extension comes with it. One that reads tables cannot be called on a worker.
                    and (pg_depend.deptype = 'e' or pg_class.oid is not null)
            )
    loop
        perform create_distributed_function(name);
    end loop;
end
$$
