-- The orders in which lists are paged, so that a page costs what it shows.

create index volume_listed on volume (created_at, id) where state = 'READY' and not snapshot;
create index volume_snapshots on volume (created_at, id) where state = 'READY' and snapshot;
create index volume_snapshots_of on volume (parent_id, created_at, id) where state = 'READY' and snapshot;
create index task_started on task (started_at, id);

-- Virtual machines: the vVols of one id. The beginning only, as in volume_metadata_search.
create index volume_metadata_machine on volume_metadata ((left(value, 200) collate "C"), volume_id)
  where key = 'VMW_VmID';
