-- Creates the tables that record which build made the tables and the views.

-- One row: the version of all tables together.
create table schema_version (
    version integer primary key
);

-- One row: a fingerprint of the SQL statements that created the views of judge/.
create table view_version (
    fingerprint text primary key
)
