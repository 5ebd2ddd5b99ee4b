-- Creates the table of products that records name, which numbers them.

-- One row for each product identifier in evidence and delivery records (load_number.sql). The large tables contain the
-- number, because an identifier takes about thirty bytes in each of their rows. Rows are never deleted, so a number
-- always means the same product, also after a rebuild.
--
-- The large tables have no index of products: it took a tenth of a first load, and only a changed catalogue needs it.
-- An SQL statement that needs the records of a product looks here first whether there may be any, and reads the
-- tables only then.
create table recorded_product (
    product_number integer primary key,
    product_id text collate "C" not null unique
)
