-- Returns one row: the number of files that were withdrawn and whose records the tables still contain.
--
-- Nearly always nothing is withdrawn. Then the files are not read.
select
    case
        when exists (select from tieout.withdrawal where withdrawal.undone_at is null)
            then (
                select count(distinct input_file.sha256)
                from tieout.input_file
                inner join tieout.withdrawal on input_file.sha256 = withdrawal.sha256
                where withdrawal.undone_at is null and not input_file.is_withdrawn
            )
        else 0
    end as files
