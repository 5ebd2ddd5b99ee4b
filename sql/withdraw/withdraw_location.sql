-- Returns one row for each location in the inbox where a withdrawn file was last seen.
select inbox_path.path
from tieout.inbox_path
left join tieout.input_file on inbox_path.file_id = input_file.file_id
inner join tieout.withdrawal
    on coalesce(inbox_path.withdrawn_sha256, input_file.sha256) = withdrawal.sha256
where withdrawal.undone_at is null
