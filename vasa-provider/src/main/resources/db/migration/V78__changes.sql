-- The history for administrators: every change, whoever made it. What vCenter polls stays in "event".
--
-- A change is inserted in the transaction that makes it, without an id. It gets its id after the commit, when somebody
-- looks, so the ids follow the order in which changes became visible, and no transaction waits for another one's.
create table change_event (
  -- order of those without an id; it may repeat after a restore from a backup
  seq bigint generated always as identity,
  id bigint,
  at timestamptz not null,
  -- null: it is older than this table
  actor_kind text check (actor_kind in ('rest', 'vasa', 'coppice')),
  actor_name text,
  trace_id text,
  type text not null,
  change text,
  object_type text,
  object_id text,
  message_id text not null,
  virtual_volumes text[] not null default '{}',
  parameter_names text[] not null default '{}',
  parameter_values text[] not null default '{}'
);
create unique index change_event_id on change_event (id);
create index change_event_without_id on change_event (seq) where id is null;
create index change_event_object on change_event (object_id, id);

alter table event_counter drop constraint event_counter_kind_check;
alter table event_counter add constraint event_counter_kind_check check (kind in ('event', 'alarm', 'change'));

insert into change_event (id, at, type, change, object_type, object_id, message_id, virtual_volumes,
    parameter_names, parameter_values)
  select id, at, type, config_type, object_type, object_id, message_id, virtual_volumes,
      parameter_names, parameter_values
    from event order by id;
insert into event_counter (kind, last_id) select 'change', last_id from event_counter where kind = 'event';
