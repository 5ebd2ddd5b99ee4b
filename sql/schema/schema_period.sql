-- Creates the tables of closed periods: who prepared and approved each, and its amounts.
--
-- A period is a range of days whose amounts are frozen. Two people close it: one prepares, another one approves. The
-- triggers take both from the session, so no SQL command can name another person.

-- The person at work: the role that is logged in; for a local user whom the operating system names (peer), that user.
create function person() returns text
language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
declare
    name text;
begin
    -- Since PostgreSQL 16.
    if current_setting('server_version_num')::integer >= 160000 then
        execute 'select system_user' into name;
    end if;
    return case when name like 'peer:%' then substr(name, 6) else session_user::text end;
end
$$;

-- One row for each time that somebody closed a period, kept permanently.
create table period_closing (
    closing_id integer generated always as identity primary key,
    -- Its name: 2026-10, FY2027-P01 or 2026-10-01..2026-10-15.
    period text collate "C" not null,
    first_day date not null,
    last_day date not null,
    -- The night whose numbers it has.
    run_id bigint not null references run,
    -- The number of the closings of this period, from 1.
    closing integer not null,
    prepared_by text not null,
    prepared_at timestamptz not null,
    -- The SHA-256 of the manifest of its pack, in hexadecimal digits.
    pack_sha256 text collate "C" not null,
    -- Missing while it is closed.
    reopened_by text,
    reopened_at timestamptz,
    reopened_because text,

    constraint days_are_ordered check (first_day <= last_day),
    constraint reopened_for_a_reason check ((reopened_at is null) = (reopened_because is null)),
    -- Each day is in one closed period.
    constraint days_are_closed_once exclude using gist (daterange(first_day, last_day, '[]') with &&)
    where (reopened_at is null)
);

-- One row for each approval. A period whose certificate was withdrawn is approved again.
create table period_approval (
    approval_id integer generated always as identity primary key,
    closing_id integer not null references period_closing,
    -- The night whose numbers were approved: later changes count against materiality.
    run_id bigint not null references run,
    -- The setting single_signer allows that the person who prepared it approves it.
    is_single_signer boolean not null,
    approved_by text not null,
    approved_at timestamptz not null
);

-- The amounts of each closing. Those of a closed period's own days that became known later are adjustments: they are in
-- the next period that was closed, and name the period to which their day belongs.
create table period_amount (
    closing_id integer not null references period_closing,
    -- The closing whose days they are of: the same, or an earlier one.
    origin_closing_id integer not null references period_closing,
    -- Empty for the period's own amounts; otherwise the cause as in restatement.csv.
    cause text collate "C" not null,
    product_id text collate "C" not null,
    currency text collate "C" not null,
    price_source text collate "C" not null,
    -- sold, refunded or upgraded.
    kind text collate "C" not null,
    units bigint not null,
    amount numeric,

    primary key (closing_id, origin_closing_id, cause, product_id, currency, price_source, kind)
);

-- The state of each closing: prepared, certified, withdrawn (its certificate, because of an open finding
-- certificate_withdrawn) or reopened; with its newest approval. After an approval the finding is open until the next
-- night resolves it, but it is about the approval before. A run of a past day resolves no finding.
create view period_state as
select
    period_closing.closing_id,
    case
        when period_closing.reopened_at is not null then 'reopened'
        when approval.closing_id is null then 'prepared'
        when
            exists (
                select
                from finding
                where
                    finding.rule = 'certificate_withdrawn'
                    and finding.status <> 'resolved'
                    and (finding.key).period = period_closing.period
            )
            and approval.run_id < (
                select max(run.run_id)
                from run
                where
                    not run.is_of_past_day
                    and (
                        run.outcome = 'done'
                        or run.run_id = nullif(current_setting('tieout.run_id', true), '')::bigint
                    )
            )
            then 'withdrawn'
        else 'certified'
    end as state,
    approval.approved_by,
    approval.approved_at,
    approval.is_single_signer,
    -- The night whose numbers were approved, or else prepared.
    coalesce(approval.run_id, period_closing.run_id) as run_id
from period_closing
left join (
    select distinct on (closing_id) *
    from period_approval
    order by closing_id, approval_id desc
) as approval on period_closing.closing_id = approval.closing_id;

-- The findings that are not resolved, without those about certificates whose period was approved or reopened since the
-- newest night.
create view standing_finding as
select
    finding.rule,
    finding.level,
    finding.reason,
    finding.currency,
    finding.status,
    finding.amount
from finding
where
    finding.status <> 'resolved'
    and (
        finding.rule <> 'certificate_withdrawn'
        or exists (
            select
            from period_closing
            inner join period_state on period_closing.closing_id = period_state.closing_id
            where period_closing.period = (finding.key).period and period_state.state = 'withdrawn'
        )
    );

create function note_preparer() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
    if tg_op = 'INSERT' then
        new.prepared_by = tieout.person();
        new.prepared_at = clock_timestamp();
        -- Only an update can reopen a closing, because the journal notes it.
        new.reopened_by = null;
        new.reopened_at = null;
        new.reopened_because = null;
    elsif
        old.reopened_at is not null
        or (
            new.closing_id, new.period, new.first_day, new.last_day, new.run_id, new.closing, new.prepared_by,
            new.prepared_at
        ) is distinct from (
            old.closing_id, old.period, old.first_day, old.last_day, old.run_id, old.closing, old.prepared_by,
            old.prepared_at
        )
        -- It is known when the pack is written, in the transaction of the closing.
        or old.pack_sha256 not in ('', new.pack_sha256)
    then
        raise 'A closing never changes; it can only be reopened.' using errcode = 'restrict_violation';
    elsif new.reopened_because is not null then
        new.reopened_by = tieout.person();
        new.reopened_at = clock_timestamp();
    end if;
    return new;
end
$$;

create trigger period_closing_person before insert or update on period_closing
for each row execute function note_preparer();

create function note_approver() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
    preparer text;
begin
    select period_closing.prepared_by into preparer
    from tieout.period_closing
    where period_closing.closing_id = new.closing_id and period_closing.reopened_at is null;
    if not found then
        raise 'The period is not closed.' using errcode = 'restrict_violation';
    end if;
    new.approved_by = tieout.person();
    new.approved_at = clock_timestamp();
    if new.approved_by = preparer and not new.is_single_signer then
        raise 'The person who prepared a period cannot approve it.' using errcode = 'insufficient_privilege';
    end if;
    new.is_single_signer = new.approved_by = preparer;
    return new;
end
$$;

create trigger period_approval_person before insert on period_approval
for each row execute function note_approver();

create function keep_closing() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
    raise 'Closings, approvals and their amounts are never changed.' using errcode = 'restrict_violation';
end
$$;

create trigger period_closing_is_kept before delete or truncate on period_closing
for each statement execute function keep_closing();

create trigger period_approval_is_kept before update or delete or truncate on period_approval
for each statement execute function keep_closing();

create trigger period_amount_is_kept before update or delete or truncate on period_amount
for each statement execute function keep_closing();

create function note_amount() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
    if exists (
        select from tieout.period_closing
        where period_closing.closing_id = new.closing_id and period_closing.pack_sha256 <> ''
    ) then
        raise 'A closing whose pack is written gets no further amounts.' using errcode = 'restrict_violation';
    end if;
    return new;
end
$$;

create trigger period_amount_is_of_closing before insert on period_amount
for each row execute function note_amount()
