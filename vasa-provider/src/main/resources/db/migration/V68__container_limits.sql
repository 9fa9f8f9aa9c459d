-- Containers that are offered to some registrations only; one without a row here is offered to all. A row outlives its
-- container: what is still told of it, as events, is for the same registrations.
create table container_limit (
  container_id uuid primary key
);

-- A registration that ends leaves a limited container limited.
create table container_registration (
  container_id uuid not null references container_limit on delete cascade,
  trust_set uuid not null references trust_set on delete cascade,
  primary key (container_id, trust_set)
);
create index container_registration_trust_set on container_registration (trust_set);

-- Of the task's volume, which may be gone by the time that somebody asks.
alter table task add column container_id uuid;
update task set container_id = v.container_id from volume v where v.id = task.volume_id;

-- The containers that an event is about; none: it is no container's. Who is offered one of them is told.
alter table event add column containers uuid[] not null default '{}';
update event set containers = array[object_id::uuid]
 where object_type = 'StorageContainer' and object_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';
update event set containers = array[v.container_id] from volume v
 where object_type = 'VirtualVolumeInfo' and object_id = 'rfc4122.' || v.id;
-- The only registration that is told; null: every one.
alter table event add column trust_set uuid;
