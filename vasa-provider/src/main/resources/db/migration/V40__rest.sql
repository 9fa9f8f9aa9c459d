-- Tokens of the REST API; the token itself is nowhere.
create table api_token (
  id uuid primary key,
  name text not null unique,
  role text not null check (role in ('admin', 'storage-admin', 'vm-admin', 'operator')),
  hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

-- Requests that came with an Idempotency-Key; without a status: not known to have ended.
create table idempotent_request (
  token uuid not null,
  key text not null,
  fingerprint bytea not null,
  begun_at timestamptz not null,
  status int,
  location text,
  content_type text,
  body bytea,
  primary key (token, key)
);

create index idempotent_request_age on idempotent_request (begun_at);
