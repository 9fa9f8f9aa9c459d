-- Storage containers, virtual volumes, bindings, and the operations and tasks that change them.
-- The pool decides which volumes and bindings exist; these rows make them searchable.

create table container (
  id uuid primary key,
  name text not null unique,
  quota_bytes bigint not null check (quota_bytes > 0),
  created_at timestamptz not null
);

create table task (
  id text primary key,
  name text not null,
  volume_id uuid,
  state text not null check (state in ('QUEUED', 'RUNNING', 'SUCCESS', 'ERROR')),
  started_at timestamptz not null,
  finished_at timestamptz,
  result_kind text check (result_kind in ('VOLUME', 'PREPARED_SNAPSHOT')),
  result_volume uuid,
  fault text,
  message text,
  check ((state in ('SUCCESS', 'ERROR')) = (finished_at is not null)),
  check ((state = 'ERROR') = (fault is not null))
);

create index task_unfinished on task (started_at) where finished_at is null;
create index task_finished on task (finished_at) where finished_at is not null;

-- A change that has begun and is not known to have ended: the only rows that recovery looks at.
create table operation (
  id uuid primary key,
  kind text not null,
  volume_id uuid not null,
  other_id uuid,
  third_id uuid,
  task_id text references task (id),
  started_at timestamptz not null
);

create table volume (
  id uuid primary key,
  container_id uuid not null references container (id),
  type text not null,
  state text not null check (state in ('CREATING', 'PREPARED', 'READY')),
  origin text not null check (origin in ('HOST', 'SCHEDULE', 'ADMIN', 'ADOPTED')),
  snapshot boolean not null,
  size_bytes bigint not null check (size_bytes > 0),
  thick boolean not null,
  parent_id uuid,
  profile_id text,
  profile_generation bigint,
  required_space text check (required_space in ('THIN', 'THICK')),
  required_interval_s bigint check (required_interval_s > 0),
  required_retention_s bigint check (required_retention_s > 0),
  operation_id uuid,
  created_at timestamptz not null,
  check ((profile_id is null) = (profile_generation is null))
);

create index volume_by_container on volume (container_id, created_at, id);
create index volume_by_parent on volume (parent_id) where parent_id is not null;
create index volume_by_operation on volume (operation_id) where operation_id is not null;

create table volume_metadata (
  volume_id uuid not null references volume (id) on delete cascade,
  key text not null,
  value text not null,
  primary key (volume_id, key)
);

-- A value may be longer than an index entry, hence its beginning only.
create index volume_metadata_search on volume_metadata (key, left(value, 200));

create table binding (
  host text not null,
  volume_id uuid not null references volume (id) on delete cascade,
  endpoint_lun int not null,
  secondary_id text not null,
  count int not null check (count > 0),
  bound_at timestamptz not null,
  primary key (host, volume_id)
);

create index binding_by_volume on binding (volume_id);
