-- Alerts (docs/alerts.md): what needs a person, and for a time what did.
create table alert (
  id uuid primary key,
  source text not null,
  -- the cause; only one alert of a cause is open
  key text not null,
  severity text not null check (severity in ('warning', 'critical')),
  object_kind text not null,
  object_id text not null,
  object_name text,
  container_id uuid,
  message text not null,
  parameter_names text[] not null,
  parameter_values text[] not null,
  since timestamptz not null,
  -- whether delivery has it
  announced boolean not null,
  resolved timestamptz,
  acknowledged_by text,
  acknowledged_at timestamptz,
  note text,
  muted_until timestamptz
);
create unique index alert_open on alert (key) where resolved is null;
