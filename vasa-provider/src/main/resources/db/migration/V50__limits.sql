-- The limits that profiles ask for.

alter table storage_profile
  add column max_iops bigint check (max_iops > 0),
  add column max_bandwidth bigint check (max_bandwidth > 0);

alter table volume
  add column required_iops bigint check (required_iops > 0),
  add column required_bandwidth bigint check (required_bandwidth > 0);
