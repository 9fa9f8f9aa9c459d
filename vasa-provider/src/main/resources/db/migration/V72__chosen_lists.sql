-- As V62, for the parts of lists that their filters choose: what is rare is not searched for among
-- all others.

create index volume_listed_in on volume (container_id, created_at, id)
  where state = 'READY' and not snapshot;
create index volume_listed_of on volume (type, created_at, id)
  where state = 'READY' and not snapshot;
create index volume_judged on volume (created_at, id)
  where state = 'READY' and not snapshot and profile_id is not null;

create index volume_snapshots_of_hosts on volume (created_at, id)
  where state = 'READY' and snapshot and origin in ('HOST', 'ADOPTED');
create index volume_snapshots_of_admins on volume (created_at, id)
  where state = 'READY' and snapshot and origin = 'ADMIN';
create index volume_snapshots_of_schedules on volume (created_at, id)
  where state = 'READY' and snapshot and origin = 'SCHEDULE';
