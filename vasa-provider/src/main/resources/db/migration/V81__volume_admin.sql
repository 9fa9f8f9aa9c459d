-- The role volume-admin: a token that is bound to some storage containers.
alter table api_token drop constraint api_token_role_check;
alter table api_token add constraint api_token_role_check
  check (role in ('admin', 'storage-admin', 'vm-admin', 'operator', 'volume-admin'));
-- Empty for the other roles. Those that are gone stay here and count for nothing.
alter table api_token add column containers uuid[] not null default '{}';

-- The bound token that began a task; null for all others.
alter table task add column begun_by uuid;
create index task_begun_by on task (begun_by, started_at, id) where begun_by is not null;

-- The storage container of what a change is about; null if it is about none, or older than this column.
alter table change_event add column container_id uuid;
create index change_event_container on change_event (container_id, id) where container_id is not null;
