-- Accounts of people; of the password only its bcrypt is kept.
create table api_account (
  id uuid primary key,
  name text not null unique,
  role text not null check (role in ('admin', 'storage-admin', 'vm-admin', 'operator', 'volume-admin')),
  -- Empty for all roles but volume-admin. Those that are gone stay here and count for nothing.
  containers uuid[] not null default '{}',
  password text not null,
  enabled boolean not null,
  created_at timestamptz not null,
  password_set_at timestamptz not null,
  login_at timestamptz
);

-- The first characters of a token's text, null if it is older than this column.
alter table api_token add column beginning text;
alter table api_token add column used_at timestamptz;
-- The text before the last rotation, as long as it still counts.
alter table api_token add column former_hash bytea unique;
alter table api_token add column former_until timestamptz;
-- The account that made it for itself; null if an administrator made it.
alter table api_token add column owner uuid references api_account on delete cascade;
create index api_token_owner on api_token (owner) where owner is not null;
