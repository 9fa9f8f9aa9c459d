-- Sessions of browsers; the text in the cookie is nowhere.
create table api_session (
  id uuid primary key,
  hash bytea not null unique,
  source text not null,
  subject text not null,
  name text not null,
  groups text[] not null,
  -- Null for people of other sources.
  account uuid references api_account on delete cascade,
  address text not null,
  opened_at timestamptz not null,
  used_at timestamptz not null,
  ends_at timestamptz not null
);

create index api_session_person on api_session (source, subject, opened_at);
create index api_session_account on api_session (account) where account is not null;
create index api_session_end on api_session (ends_at);
