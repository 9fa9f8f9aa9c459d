-- The recycle bin: volumes and snapshots that were deleted and can be restored (decision 62). Nothing but the bin reads
-- rows in the state BINNED. Their times are by the time that has passed (V67).

alter table volume drop constraint volume_state_check;
alter table volume add constraint volume_state_check
  check (state in ('CREATING', 'PREPARED', 'READY', 'BINNED'));

alter table volume
  add column binned_at timestamptz,
  add column purge_at timestamptz,
  add column binned_why text check (binned_why in ('DELETED', 'REVERTED')),
  add column binned_by text,
  -- What its snapshot schedule had switched on; null if it had none.
  add column binned_taking boolean,
  add column binned_deleting boolean;
alter table volume add constraint volume_binned_check
  check ((state = 'BINNED') = (binned_at is not null and purge_at is not null
                               and binned_why is not null and binned_by is not null));

create index volume_binned on volume (binned_at, id) where state = 'BINNED';
create index volume_binned_in on volume (container_id, binned_at, id) where state = 'BINNED';
create index volume_binned_until on volume (purge_at, id) where state = 'BINNED';
create index volume_binned_by_name on volume (sort_name, id) where state = 'BINNED';
create index volume_binned_by_size on volume (size_bytes, id) where state = 'BINNED';

-- How long what is deleted from the container stays in the bin, in seconds; null: as the setting says.
alter table container add column bin_s bigint check (bin_s >= 0);

-- Whether the snapshots of a recovery point are in the bin: the point comes back with them.
alter table recovery_point add column binned boolean not null default false;
create index recovery_point_binned on recovery_point (group_id) where binned;
