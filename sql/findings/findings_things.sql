-- Finds what the findings that were resolved tonight are about, and the files that came since the last night: those of
-- tonight's run, of runs of a past day, and files that count again.
--
-- One name can occur in many findings and in many purchases, and one purchase can have many names. Therefore the
-- records of each name and of each purchase are looked up once (findings_records.sql), and findings_first_record.sql
-- follows the tables below from the findings to the records. No table has a row for each finding and each record.
--
-- Takes          resolved_tonight (findings_live.sql), the judged relations, and recounted_file (rebuild_empty.sql).
-- Leaves behind  last_night, new_file;
--                resolved_thing: about_id, kind, environment, name: the names in the subjects, the purchases with such
--                a name, the accounts of shared purchases, and the periods of Apple's reports;
--                resolved_about: the things that each resolved finding is about, and itself (about_id is its number);
--                resolved_part: the purchases (part_id) of each name;
--                named_thing: finding_id, kind, environment, name of what each finding names.

create temporary table if not exists recounted_file (file_id integer, is_withdrawn boolean) on commit drop;

create temporary table last_night on commit drop as
select
    run.run_id,
    run.as_of,
    run.settings
from run
where run.run_id = night_before((select night.run_id from night));

create temporary table new_file on commit drop as
select input_file.file_id
from last_night
inner join input_file on last_night.run_id < input_file.run_id
union
select file_id from recounted_file where not is_withdrawn;

create temporary table name_of_finding on commit drop as
select distinct
    resolved_tonight.finding_id,
    resolved_tonight.environment,
    one.name
from resolved_tonight
cross join lateral (
    values (coalesce((key).transaction_id, (key).original_transaction_id)), ((key).delivery_id)
) as one (name)
where resolved_tonight.environment <> '' and one.name is not null;

analyze name_of_finding;

create temporary table purchase_of_name on commit drop as
with

name as materialized (

    select distinct environment, name from name_of_finding

)

select name.environment, name.name, member.obligation_key
from name
inner join member on name.environment = member.environment and name.name = member.transaction_id
union
select name.environment, name.name, member.obligation_key
from name
inner join member on name.environment = member.environment and name.name = member.original_transaction_id
union
select name.environment, name.name, attempt_thing(attempt.obligation_key, attempt.delivery_id)
from name
inner join attempt on name.environment = attempt.environment and name.name = attempt.delivery_id
union
select name.environment, name.name, attempt_thing(attempt.obligation_key, attempt.delivery_id)
from name
inner join attempt on name.environment = attempt.environment and name.name = attempt.transaction_id;

analyze purchase_of_name;

create temporary table named_thing on commit drop as
select resolved_tonight.finding_id, 'purchase' as kind, environment, family.obligation_key as name
from resolved_tonight
inner join family using (environment, subject)
where environment <> ''
union
select resolved_tonight.finding_id, 'purchase', environment, obligation.obligation_key
from resolved_tonight
inner join obligation using (environment, subject)
where environment <> ''
union
select finding_id, 'name', environment, name
from name_of_finding
union
select finding_id, case when (key).account_ids is null then 'token' else 'account' end, '', one.name
from resolved_tonight
cross join unnest(coalesce((key).account_ids, (key).account_tokens)) as one (name)
where rule = 'shared_purchase'
union
select finding_id, 'difference', '', concat_ws(' ', (key).product_id, (key).apple_report, (key).period)
from resolved_tonight
where rule = 'unexplained_difference';

analyze named_thing;

create temporary table resolved_thing on commit drop as
select
    kind,
    environment,
    name,
    -row_number() over (order by kind, environment, name) as about_id
from (
    select kind, environment, name from named_thing
    union
    select 'purchase', environment, obligation_key from purchase_of_name
) as thing;

analyze resolved_thing;

create temporary table resolved_about on commit drop as
select named_thing.finding_id, resolved_thing.about_id
from named_thing
inner join resolved_thing using (kind, environment, name)
union all
select finding_id, finding_id
from resolved_tonight;

analyze resolved_about;

create temporary table resolved_part on commit drop as
select name.about_id, purchase.about_id as part_id
from purchase_of_name
inner join resolved_thing as name
    on name.kind = 'name'
    and purchase_of_name.environment = name.environment
    and purchase_of_name.name = name.name
inner join resolved_thing as purchase
    on purchase.kind = 'purchase'
    and purchase_of_name.environment = purchase.environment
    and purchase_of_name.obligation_key = purchase.name;

analyze resolved_part
