-- What lists of volumes, jobs and schedules are sorted by, so that a page costs what it shows: its place is found by a
-- key (decision 47).

-- The name stands in the metadata, which no index shares with the conditions of the lists: so its beginning stands here,
-- too, as long as an index takes it. Empty for a volume without a name.
alter table volume add column sort_name text collate "C" not null default '';

update volume v set sort_name = left(m.value, 200)
  from volume_metadata m where m.volume_id = v.id and m.key = 'VMW_VVolName';

create function volume_sort_name() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    update volume set sort_name = '' where id = old.volume_id;
  else
    update volume set sort_name = left(new.value, 200)
     where id = new.volume_id and sort_name <> left(new.value, 200);
  end if;
  return null;
end
$$;
create trigger volume_named after insert or update on volume_metadata
  for each row when (new.key = 'VMW_VVolName') execute function volume_sort_name();
create trigger volume_unnamed after delete on volume_metadata
  for each row when (old.key = 'VMW_VVolName') execute function volume_sort_name();

create index volume_listed_by_name on volume (sort_name, id) where state = 'READY' and not snapshot;
create index volume_listed_by_size on volume (size_bytes, id) where state = 'READY' and not snapshot;
create index volume_listed_of_admins_by_name on volume (sort_name, id)
  where state = 'READY' and not snapshot and origin = 'ADMIN';
create index volume_listed_of_admins_by_size on volume (size_bytes, id)
  where state = 'READY' and not snapshot and origin = 'ADMIN';
create index volume_snapshots_by_name on volume (sort_name, id) where state = 'READY' and snapshot;
create index volume_snapshots_by_size on volume (size_bytes, id) where state = 'READY' and snapshot;

create index task_by_name on task ((name collate "C"), id);
create index task_by_end on task ((coalesce(finished_at, timestamptz '-infinity')), id);

create index snapshot_schedule_by_interval on snapshot_schedule (interval_s, volume_id);
create index snapshot_schedule_by_run on snapshot_schedule (next_run, volume_id);
