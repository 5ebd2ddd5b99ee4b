-- Finds on what the restatement of tonight rests: the night before, what was published or closed, and the files and
-- products that are new.
--
-- Takes          tieout.cause: the cause of every change of tonight, if the run has one.
-- Leaves behind  last_done: the night that made the relations as tonight found them, if something is published;
--                published_as_of, closed_as_of: the published months and the closed periods, and the as-of of what was
--                published or closed;
--                restated_file: the files that were loaded since that night; is_returned: the file was withdrawn and
--                counts again;
--                restated_product: the products about which such a file has catalogue facts.

create temporary table last_done on commit drop as
select
    earlier.run_id,
    earlier.settings ->> 'time_zone' as time_zone,
    nullif(current_setting('tieout.cause', true), '') as cause_of_all,
    settings_of_judgement(earlier.settings) <> settings_of_judgement(own.settings)
    or earlier.program_version <> own.program_version as is_set_otherwise
from night
inner join run as own on night.run_id = own.run_id
inner join run as earlier on earlier.run_id = night_before(own.run_id)
where exists (select from standing_month);

create temporary table published_as_of on commit drop as
select distinct on (standing_month.month)
    standing_month.month,
    run.as_of
from standing_month
inner join run on standing_month.run_id = run.run_id
order by standing_month.month, standing_month.run_id desc;

-- A closed period can end within a month that no edition stands for.
create temporary table closed_as_of on commit drop as
select
    period_closing.first_day,
    period_closing.last_day,
    run.as_of
from period_closing
inner join run on period_closing.run_id = run.run_id
where period_closing.reopened_at is null;

create temporary table restated_file on commit drop as
select
    input_file.file_id,
    -- A file that was withdrawn before it arrived has never counted.
    exists (
        select
        from withdrawal
        inner join run on run.started_at between withdrawal.withdrawn_at and withdrawal.undone_at
        inner join restated_entry on run.run_id = restated_entry.run_id and restated_entry.cause = 'file_withdrawn'
        where withdrawal.sha256 = input_file.sha256
    ) as is_returned
from input_file
cross join last_done
where input_file.run_id > last_done.run_id;

create temporary table restated_product on commit drop as
select
    catalogue_fact.product_id,
    bool_or(restated_file.is_returned) as is_returned
from catalogue_fact
inner join restated_file on catalogue_fact.file_id = restated_file.file_id
group by catalogue_fact.product_id
