-- Returns for each explained thing the files with its records that were withdrawn and still count, because tieout
-- rebuild has not run since, in words with at most three files.
--
-- Takes  thing, later_delivery.
-- Gives  environment, thing_key, words
with

withdrawn as materialized (

    select
        input_file.file_id,
        format(
            '%s (withdrawn on %s: %s)',
            input_file.path,
            csv_instant(withdrawal.withdrawn_at),
            rtrim(withdrawal.because, '.')
        ) as words
    from withdrawal
    inner join input_file on withdrawal.sha256 = input_file.sha256
    where withdrawal.undone_at is null and not input_file.is_withdrawn

),

source as (

    select thing.environment, thing.thing_key, evidence.file_id
    from thing
    inner join member
        on thing.environment = member.environment and thing.thing_key = member.obligation_key
    inner join evidence
        on member.environment = evidence.environment and member.transaction_number = evidence.transaction_number
    union
    select thing.environment, thing.thing_key, delivery_record.file_id
    from thing
    inner join attempt
        on thing.environment = attempt.environment
        and thing.thing_key = attempt_thing(attempt.obligation_key, attempt.delivery_id)
    inner join delivery_record on attempt.delivery_id = delivery_record.delivery_id
    union
    select thing.environment, thing.thing_key, client_transaction.file_id
    from thing
    inner join client_transaction
        on thing.thing_key = claim_thing(client_transaction.transaction_id, client_transaction.original_transaction_id)
    union
    select environment, thing_key, file_id
    from later_delivery

),

numbered as (

    select
        source.environment,
        source.thing_key,
        withdrawn.words,
        row_number() over (partition by source.environment, source.thing_key order by withdrawn.words) as place,
        count(*) over (partition by source.environment, source.thing_key) as files
    from source
    inner join withdrawn using (file_id)

)

select
    environment,
    thing_key,
    format(
        'Records of it count only until tieout rebuild runs, because their file was withdrawn: %s%s.',
        string_agg(words, ', ' order by place),
        ' and ' || nullif(greatest(max(files) - 3, 0), 0) || ' more'
    ) as words
from numbered
where place <= 3
group by environment, thing_key
