-- Moves of bindings from one host to another that were announced and have not ended.

create table binding_change (
  volume_id uuid primary key references volume (id) on delete cascade,
  destination text not null,
  prepared_at timestamptz not null
);
