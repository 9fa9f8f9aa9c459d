-- The point of a timeline that a task went to, and the moment that takes a revert back (docs/timeline.md).
alter table task
  drop constraint task_result_kind_check,
  add constraint task_result_kind_check
    check (result_kind in ('VOLUME', 'PREPARED_SNAPSHOT', 'VOLUME_AT', 'REVERTED')),
  add column result_point timestamptz,
  add column result_undo timestamptz;
