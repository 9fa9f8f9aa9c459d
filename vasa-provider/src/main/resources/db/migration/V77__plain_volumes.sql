-- As V72: volumes that an administrator made are few among those of virtual machines.

create index volume_listed_of_admins on volume (created_at, id)
  where state = 'READY' and not snapshot and origin = 'ADMIN';
create index volume_listed_of_admins_in on volume (container_id, created_at, id)
  where state = 'READY' and not snapshot and origin = 'ADMIN';
