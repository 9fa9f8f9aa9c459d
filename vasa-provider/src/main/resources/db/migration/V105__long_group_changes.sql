-- Changes of replication groups that go on behind their call. One that has not ended is taken up
-- again at the next start; its task is not ended with those that nobody carries on.
create table group_change (
  task_id text primary key references task (id) on delete cascade,
  group_id uuid not null,
  replica_name text -- of a synchronization; null for the preparation of a fail-over
);
