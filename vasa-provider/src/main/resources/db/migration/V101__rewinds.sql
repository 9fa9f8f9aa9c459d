-- Reverts to moments (docs/decisions/0071): which volume is brought back to which of its points. The rows go with that of
-- their operation, which is written after them.
create table rewind_part (
  operation_id uuid not null references operation on delete cascade deferrable initially deferred,
  place int not null,
  volume_id uuid not null,
  point timestamptz not null,
  primary key (operation_id, place)
);

-- The point that a task went to, and the moment that takes a revert back.
alter table task
  drop constraint task_result_kind_check,
  add constraint task_result_kind_check
    check (result_kind in ('VOLUME', 'PREPARED_SNAPSHOT', 'VOLUME_AT', 'REVERTED')),
  add column result_point timestamptz,
  add column result_undo timestamptz;
