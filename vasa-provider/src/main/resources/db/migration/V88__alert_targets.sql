-- Where alerts are sent (docs/alerts.md). Secrets, and URLs, which often are secrets, are sealed with alert.key.
create table alert_target (
  id uuid primary key,
  name text not null unique,
  kind text not null check (kind in ('webhook', 'mail')),
  enabled boolean not null,
  severity text not null check (severity in ('warning', 'critical')),
  sealed_url text,
  host text,
  port integer,
  security text,
  user_name text,
  sender text,
  recipients text[],
  ca text,
  sealed_secret text,
  -- rises with each change
  generation bigint not null
);
-- Messages that wait for a target.
create table alert_message (
  id uuid primary key,
  target_id uuid not null references alert_target on delete cascade,
  place bigint not null,
  event text not null,
  alert_id uuid,
  severity text not null,
  kind text not null,
  object text not null,
  cause text not null,
  effect text not null,
  remedy text not null,
  at timestamptz not null
);
create index alert_message_target on alert_message (target_id, place);
