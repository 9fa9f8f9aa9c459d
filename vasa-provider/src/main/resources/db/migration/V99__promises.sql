-- Recovery points that profiles demand (docs/decisions/0067), in seconds.
alter table storage_profile
  add column point_age_s bigint check (point_age_s > 0),
  add column points_kept_s bigint check (points_kept_s > 0),
  add column points_locked_s bigint check (points_locked_s > 0);

alter table volume
  add column required_age_s bigint check (required_age_s > 0),
  add column required_kept_s bigint check (required_kept_s > 0),
  add column required_locked_s bigint check (required_locked_s > 0);

-- A lower bin time of a container that two accounts agreed on; it acts from then on, by the time that has passed
-- (V67). Without a moment there is none; without a time it is that of the settings.
alter table container
  add column bin_next_s bigint check (bin_next_s >= 0),
  add column bin_next_at timestamptz,
  add constraint container_bin_next check (bin_next_at is not null or bin_next_s is null);
