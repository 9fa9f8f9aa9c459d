-- Changes that take two people (docs/decisions/0064), and the first of them: the longest lock of a snapshot.
create table approval (
  id uuid primary key,
  action text not null,
  value text not null,
  state text not null check (state in ('OPEN', 'APPROVED', 'REFUSED')),
  -- The account that asked. It is no reference: what it did outlasts it.
  asked_by uuid not null,
  asked_name text not null,
  asked_at timestamptz not null,
  -- by the time that has passed (V67)
  expires_at timestamptz not null,
  ended_by uuid,
  ended_name text,
  ended_at timestamptz,
  check ((state = 'OPEN') = (ended_by is null and ended_name is null and ended_at is null))
);
create index approval_asked on approval (asked_at, id);

create table lock_limit (
  one boolean primary key default true check (one),
  longest_s bigint not null check (longest_s > 0)
);
insert into lock_limit (longest_s) values (30 * 24 * 3600);
