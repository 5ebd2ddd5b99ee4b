-- Finds the catalogue facts, the replaced lines and the withdrawn file that can be the causes of resolved findings.
-- Only the first cause counts, so others are left out.
--
-- An approval or a reopening of a closed period can be the cause, too.
--
-- Takes  the tables of findings_things.sql, resolved_tonight (findings_live.sql), resolved_name (findings_names.sql),
--        replaced_record (load_grown.sql), and recounted_file (rebuild_empty.sql).
-- Leaves behind  first_catalogue_fact: the first new value of each member of each product, with its kind, as the line
--                `Resolved` of a rule names it: prices; lists, if the value says only who offers or sells a product
--                that was listed before, which matters to no transaction; catalogue, if it says anything else;
--                replaced_line: finding_id, file_id, line: the lines without a line end whose records named what the
--                finding is about; withdrawn_file; ended_withdrawal: finding_id, cause, record.

-- A run that loads nothing has no replaced records.
create temporary table if not exists replaced_record (
    file_id integer,
    delivery_id text collate "C",
    transaction_id text collate "C",
    original_transaction_id text collate "C",
    product_id text collate "C",
    account_id text collate "C",
    server text collate "C",
    app_version text collate "C"
) on commit drop;

create temporary table first_catalogue_fact on commit drop as
select distinct on (fact.product_id, fact.member)
    fact.product_id,
    fact.member,
    fact.file_id,
    fact.line,
    case
        when fact.member = 'price' then 'prices'
        when
            fact.member in ('offered_by_app', 'known_to_store', 'for_sale', 'store_list_covers')
            and exists (
                select
                from catalogue_fact
                where
                    catalogue_fact.product_id = fact.product_id
                    and catalogue_fact.file_id not in (select file_id from new_file)
            )
            then 'lists'
        else 'catalogue'
    end as kind
from catalogue_fact as fact
inner join input_file using (file_id)
-- A fact has the first file that stated it. A run of a past day can have loaded it, and a rebuild loads all again.
where fact.file_id in (select file_id from new_file)
order by fact.product_id, fact.member, input_file.path, fact.line;

create temporary table replaced_name on commit drop as
select distinct
    replaced_record.file_id,
    named.kind,
    named.name
from replaced_record
cross join lateral (
    values
    ('delivery', replaced_record.delivery_id),
    ('transaction', replaced_record.transaction_id),
    ('transaction', replaced_record.original_transaction_id),
    ('product', replaced_record.product_id),
    ('account', replaced_record.account_id),
    ('server', replaced_record.server),
    ('app_version', replaced_record.app_version)
) as named (kind, name)
where named.name is not null;

analyze replaced_name;

-- If a finding is about a purchase, only lines about its transactions and deliveries count, because many other findings
-- can be about its product.
create temporary table replaced_line on commit drop as
select
    named.finding_id,
    input_file.file_id,
    input_file.open_line as line
from (
    select resolved_about.finding_id, replaced_name.file_id
    from replaced_name
    inner join resolved_name using (kind, name)
    inner join resolved_about using (about_id)
    where replaced_name.kind in ('delivery', 'transaction')
    union
    select named_thing.finding_id, replaced_name.file_id
    from replaced_name
    inner join named_thing using (kind, name)
    where replaced_name.kind = 'account'
    union
    select resolved_tonight.finding_id, replaced_name.file_id
    from resolved_tonight
    inner join replaced_name
        on case resolved_tonight.rule
            when 'invalid_product_id' then 'product'
            when 'silent_source' then 'server'
            when 'automatic_restore' then 'app_version'
        end = replaced_name.kind
        and coalesce((key).product_id, (key).server, (key).app_version) = replaced_name.name
) as named
inner join input_file using (file_id);

-- If several files were withdrawn, it is unknown which of them resolved a finding. The row then has no file.
create temporary table withdrawn_file on commit drop as
select case when count(*) = 1 then min(file_id) end as file_id
from recounted_file
where is_withdrawn
having count(*) > 0;

-- The closing whose certificate the last night found withdrawn was approved before that night. Since then it was
-- reopened, approved again, or what had changed it was undone.
create temporary table ended_withdrawal on commit drop as
select
    resolved_tonight.finding_id,
    case
        when closing.was_reopened then 'period_reopened'
        when closing.was_approved then 'period_approved'
        else 'change_undone'
    end as cause,
    concat('closed/', closing.period, '.' || nullif(closing.closing, 1)) as record
from resolved_tonight
inner join (
    select distinct on (period_closing.period)
        period_closing.period,
        period_closing.closing,
        period_closing.reopened_at is not null as was_reopened,
        max(period_approval.run_id) >= last_night.run_id as was_approved
    from last_night
    cross join period_approval
    inner join period_closing on period_approval.closing_id = period_closing.closing_id
    group by period_closing.closing_id, last_night.run_id
    having min(period_approval.run_id) < last_night.run_id
    order by period_closing.period, period_closing.closing_id desc
) as closing
    on (resolved_tonight.key).period = closing.period
where
    resolved_tonight.rule = 'certificate_withdrawn'
    and (
        closing.was_reopened
        or closing.was_approved
        -- Otherwise a higher materiality resolves it.
        or (select last_night.settings -> 'materiality' from last_night)
        is not distinct from (select run.settings -> 'materiality' from night inner join run using (run_id))
    )
