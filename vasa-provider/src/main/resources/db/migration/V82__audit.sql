-- The audit trail (docs/audit.md). Rows are only added at the end and removed at the beginning; what each one says is
-- covered by its hash, and so are its number and the hash before it.
create table audit_entry (
  seq bigint primary key check (seq > 0),
  record_id uuid not null unique,
  -- form of the hashed bytes
  version smallint not null,
  -- which key the hash was made with
  key_id text not null,
  at timestamptz not null,
  channel text not null,
  account text not null,
  token text,
  certificate text,
  address text,
  action text not null,
  object text,
  trace_id text,
  outcome text not null,
  code text,
  detail_parts text[] not null,
  detail_names text[] not null,
  detail_values text[] not null,
  previous bytea not null,
  hash bytea not null
);
create index audit_entry_at on audit_entry (at, seq);
create index audit_entry_account on audit_entry (account, seq);
create index audit_entry_object on audit_entry (object, seq) where object is not null;
-- Rare entries that verification looks for.
create index audit_entry_own on audit_entry (seq) where channel = 'coppice';
