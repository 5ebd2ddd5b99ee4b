-- Creates the empty table of tonight's findings. It hides the view `found`.
create temporary table found (
    rule text collate "C" not null,
    level text collate "C" not null,
    environment text collate "C" not null,
    key finding_key not null,
    subject text collate "C" not null,
    subject_hash bytea not null generated always as (text_hash(subject)) stored,
    reason text collate "C",
    detail text not null,
    family_key text collate "C",
    amount numeric,
    currency text collate "C"
) on commit drop
