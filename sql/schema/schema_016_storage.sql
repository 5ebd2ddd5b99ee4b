-- What a step of a run read from files or wrote into them.
alter table run_step add column byte_count bigint
