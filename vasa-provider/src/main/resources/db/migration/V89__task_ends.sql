-- Who began a task, and which record of the audit trail says so. The end of a task that outlived its call is due in the
-- trail from its end until an entry has it (docs/audit.md).
alter table task add column begun_account text;
alter table task add column begun_record uuid;
alter table task add column end_due boolean not null default false;
create index task_end_due on task (finished_at) where end_due;
