-- Creates the journal: who did what, and when. Rows are added and never changed; triggers write them, so no command can
-- forget one.

create table journal (
    entry_id bigint generated always as identity primary key,
    at timestamptz not null default clock_timestamp(),
    -- The role that is logged in, or the system's user of the private server.
    person text not null,
    -- What was done: run, settings, acknowledge; reopened, replaced, resolved, acknowledgement_ended or level_rose (the
    -- end of an acknowledgement); withdraw, undo, forget, close, approve or reopen-period.
    act text collate "C" not null,
    -- What it was done to: the number of a run, the name of a finding, a period, a file or a setting.
    subject text not null,
    detail text not null
);

create function keep_journal() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
    raise 'The journal is never changed.' using errcode = 'restrict_violation';
end
$$;

create trigger journal_is_kept before update or delete or truncate on journal
for each statement execute function keep_journal();

-- The role of a night may write no entry itself, so this function runs as its owner.
create function note_act() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
    act text := tg_argv[0];
    subject text;
    detail text := '';
begin
    case act
        when 'run' then
            subject := new.run_id::text;
            detail := format(
                '%s, as of %s, by %s on %s',
                new.outcome, tieout.csv_instant(new.as_of), new.started_by, new.started_on_host
            );
            if tg_op = 'INSERT' then
                insert into tieout.journal (person, act, subject, detail)
                select
                    tieout.person(),
                    'settings',
                    changed.name,
                    format(
                        'run %s: %s instead of %s', new.run_id, coalesce(changed.value, 'unset'),
                        coalesce(changed.value_before, 'unset')
                    )
                from (
                    select
                        coalesce(now.key, before.key) as name,
                        now.value as value,
                        before.value as value_before
                    from jsonb_each_text(new.settings) as now
                    full join jsonb_each_text((
                        select run.settings
                        from tieout.run
                        where run.run_id < new.run_id
                        order by run.run_id desc
                        limit 1
                    )) as before using (key)
                ) as changed
                where
                    changed.value is distinct from changed.value_before
                    and exists (select from tieout.run where run.run_id < new.run_id)
                order by changed.name;
            end if;
        when 'acknowledge' then
            -- The reasons can contain a name that is forgotten later, so only `acknowledgement` has them.
            subject := new.finding;
            if tg_op = 'UPDATE' then
                act := new.ended_because;
            end if;
        when 'withdraw' then
            subject := new.path;
            detail := new.because;
            if tg_op = 'UPDATE' then
                act := 'undo';
                detail := coalesce(new.undone_because, '');
            end if;
        when 'forget' then
            subject := new.token;
            detail := case when new.is_companion then 'device or appAccountToken of the account' else 'account' end;
        when 'close' then
            subject := new.period;
            detail := format('%s to %s, with run %s', new.first_day, new.last_day, new.run_id);
            if tg_op = 'UPDATE' then
                act := 'reopen-period';
                detail := new.reopened_because;
            end if;
        when 'approve' then
            subject := (
                select period_closing.period
                from tieout.period_closing
                where period_closing.closing_id = new.closing_id
            );
            detail := format(
                'with run %s%s', new.run_id, case when new.is_single_signer then ', as the only signer' else '' end
            );
    end case;
    insert into tieout.journal (person, act, subject, detail)
    values (tieout.person(), act, subject, detail);
    return null;
end
$$;

create trigger run_is_noted after insert or update of outcome on run
for each row execute function note_act('run');

create trigger acknowledgement_is_noted after insert on acknowledgement
for each row execute function note_act('acknowledge');

create trigger acknowledgement_end_is_noted after update of ended_because on acknowledgement
for each row when (new.ended_because is not null) execute function note_act('acknowledge');

create trigger withdrawal_is_noted after insert on withdrawal
for each row execute function note_act('withdraw');

create trigger withdrawal_end_is_noted after update of undone_at on withdrawal
for each row when (new.undone_at is not null) execute function note_act('withdraw');

create trigger forgotten_name_is_noted after insert on forgotten_name
for each row execute function note_act('forget');

create trigger period_closing_is_noted after insert on period_closing
for each row execute function note_act('close');

create trigger period_closing_end_is_noted after update of reopened_because on period_closing
for each row when (new.reopened_because is not null) execute function note_act('close');

create trigger period_approval_is_noted after insert on period_approval
for each row execute function note_act('approve');

-- Otherwise a trigger on a table of somebody else could write entries. Firing a trigger needs no right.
revoke all on function note_act() from public
