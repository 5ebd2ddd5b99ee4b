-- Selects the closing, and the edition of its night, for the next SQL statements of the transaction.
--
-- Takes  $1: the number of the closing.
select
    set_config('tieout.closing', $1, true) as closing,
    set_config(
        'tieout.edition',
        (
            select coalesce(run.edition, 1)::text
            from run
            inner join night on run.run_id = night.run_id
        ),
        true
    ) as edition
