-- Protection policies (docs/decisions/0061): rules of recovery points, the groups that they protect,
-- and the points. Times of what is due and of points are those of the time that has passed.
create table protection_policy (
  id uuid primary key,
  name text not null unique,
  description text not null,
  -- rises with each change
  generation bigint not null,
  author text not null,
  created_at timestamptz not null
);
create table protection_rule (
  policy_id uuid not null references protection_policy on delete cascade,
  place integer not null,
  name text not null,
  kind text not null check (kind in ('EVERY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY')),
  interval_s bigint check ((interval_s is not null) = (kind = 'EVERY')),
  -- of the hour, or of the day
  minute integer check ((minute is null) = (kind = 'EVERY')),
  zone text check ((zone is not null) = (kind in ('DAILY', 'WEEKLY', 'MONTHLY'))),
  -- 1 for Monday
  days integer[] check ((days is not null) = (kind = 'WEEKLY')),
  -- 0 for the last day
  day integer check ((day is not null) = (kind = 'MONTHLY')),
  months integer[] check ((months is not null) = (kind = 'MONTHLY')),
  keep_count integer,
  keep_s bigint,
  pattern text not null,
  primary key (policy_id, place),
  unique (policy_id, name),
  check ((keep_count is null) <> (keep_s is null))
);

-- What is protected at one cut.
create table protection_group (
  id uuid primary key,
  name text not null unique,
  policy_id uuid not null references protection_policy,
  -- the moment up to which all moments of the rules are handled, by both times
  handled_at timestamptz not null,
  handled_clock timestamptz not null,
  -- when it is looked at next
  look_at timestamptz not null,
  -- rises with each change of the group or of its policy's rules
  revision bigint not null default 0,
  last_error text
);
create index protection_group_look on protection_group (look_at, id);
create index protection_group_policy on protection_group (policy_id);
create table protection_member (
  -- a virtual machine by its id, or a volume
  kind text not null check (kind in ('MACHINE', 'VOLUME')),
  object text not null,
  group_id uuid not null references protection_group on delete cascade,
  -- the container of a plain volume, by which bound tokens see the group; null for others
  plain_in uuid,
  primary key (kind, object)
);
create index protection_member_group on protection_member (group_id);

-- The snapshots of a point carry its id as that of their cut, in the pool. So a restored backup finds
-- them again.
create table recovery_point (
  id uuid primary key,
  group_id uuid not null references protection_group on delete cascade,
  name text not null,
  taken_at timestamptz not null,
  -- names of the rules that wanted it; none if a person did
  rules text[] not null
);
create index recovery_point_group on recovery_point (group_id, taken_at, id);
create index recovery_point_taken on recovery_point (taken_at, id);
