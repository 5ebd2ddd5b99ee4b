-- Records a final answer of Apple.
--
-- Takes  $1: the receipt's hash.
--        $2: Apple's status.
--        $3: whether the sandbox answered.
--        $4: the answer's path below the inbox, or null.
insert into tieout.receipt_question (receipt_hash, asked_at, status, is_sandbox, answer_path)
values ($1::bytea, clock_timestamp(), $2::integer, $3::boolean, $4)
on conflict (receipt_hash) do update
    set
        asked_at = excluded.asked_at,
        status = excluded.status,
        is_sandbox = excluded.is_sandbox,
        answer_path = excluded.answer_path
