-- Creates the table of what `tieout refresh-receipts` asked Apple, and when.

-- One row for each raw receipt that Apple was asked about, identified by its bytes.
create table receipt_question (
    -- SHA-256 of the receipt without its base64.
    receipt_hash bytea primary key,
    -- When Apple last gave a final answer.
    asked_at timestamptz not null,
    -- Apple's status in that answer.
    status integer not null,
    is_sandbox boolean not null,
    -- The answer's path below the inbox; missing if the answer contains no receipt.
    answer_path text collate "C"
)
