-- Creates the tables of the receipts that the inbox contains, and of those that Apple is asked about tonight.
create temporary table presented (
    receipt_hash bytea not null,
    account_id text collate "C",
    device_id text collate "C",
    storefront text collate "C"
) on commit drop;

create temporary table due (
    receipt_hash bytea primary key,
    account_id text collate "C",
    device_id text collate "C",
    storefront text collate "C"
) on commit drop
