-- What Apple was asked again, and when.

-- One row for each raw receipt that was asked about, known by its bytes.
create table receipt_question (
    -- SHA-256 of the receipt out of its base64.
    receipt_hash bytea primary key,
    -- When it was asked about last and Apple answered for good.
    asked_at timestamptz not null,
    -- Apple's status in that answer.
    status integer not null,
    is_sandbox boolean not null,
    -- The answer's path below the inbox; missing where the answer holds no receipt.
    answer_path text collate "C"
)
