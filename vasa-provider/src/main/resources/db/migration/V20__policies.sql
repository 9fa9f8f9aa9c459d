-- Storage profiles that the array offers, defaults of containers, and the snapshot schedules that
-- profiles give to volumes.

create table storage_profile (
  id text primary key,
  name text not null unique,
  description text not null,
  generation bigint not null check (generation > 0),
  author text not null,
  created_at timestamptz not null,
  space text check (space in ('THIN', 'THICK')),
  interval_s bigint check (interval_s > 0),
  retention_s bigint check (retention_s > 0)
);

-- The containers a profile is offered in; a profile without a row here is offered in all.
create table storage_profile_container (
  profile_id text not null references storage_profile (id) on delete cascade,
  container_id uuid not null references container (id) on delete cascade,
  primary key (profile_id, container_id)
);

create table default_profile (
  container_id uuid not null references container (id) on delete cascade,
  volume_type text not null,
  profile_id text not null references storage_profile (id),
  primary key (container_id, volume_type)
);

create table snapshot_schedule (
  volume_id uuid primary key references volume (id) on delete cascade,
  interval_s bigint not null check (interval_s > 0),
  retention_s bigint check (retention_s > 0),
  enabled boolean not null default true,
  retention_enabled boolean not null default true,
  since timestamptz not null,
  next_run timestamptz not null,
  last_run timestamptz,
  last_error text
);

create index snapshot_schedule_due on snapshot_schedule (next_run) where enabled;
create index volume_scheduled on volume (created_at) where origin = 'SCHEDULE';
