-- Selects the closing, and the edition of its night, for the next SQL statements of the transaction.
--
-- Takes  $1: the number of the closing.
select
    set_config('tieout.closing', $1, true) as closing,
    set_config(
        'tieout.edition',
        (
            select run.edition::text
            from run
            inner join night on run.run_id = night.run_id
        ),
        true
    ) as edition
