-- Until when a scheduled snapshot is kept, by the time that has passed: when it was taken and the
-- retention of its parent's schedule, or, where there is none, what it was taken with itself. Null:
-- for good, and while deleting is switched off. So a search for those whose time is over reads them
-- alone. Triggers keep it right, whoever changes a snapshot or a schedule.

alter table volume
  add column kept_until timestamptz;

update volume v
   set kept_until = coalesce(v.seen_at, v.created_at) + make_interval(secs => k.retention)
  from (select c.id, case when s.volume_id is null then c.required_retention_s
                          when s.retention_enabled then s.retention_s end as retention
          from volume c left join snapshot_schedule s on s.volume_id = c.parent_id
         where c.origin = 'SCHEDULE' and c.state = 'READY') k
 where k.id = v.id;

create function keep_snapshot() returns trigger language plpgsql as $$
declare
  retention bigint;
  enabled boolean;
begin
  -- A change of the schedule ends before this is read, or begins after this has ended.
  select retention_s, retention_enabled into retention, enabled
    from snapshot_schedule where volume_id = new.parent_id for share;
  if not found then
    retention := new.required_retention_s;
    enabled := true;
  end if;
  new.kept_until := case when enabled then
    coalesce(new.seen_at, new.created_at) + make_interval(secs => retention) end;
  return new;
end
$$;

create trigger keep_snapshot
  before insert or update of state, origin, parent_id, seen_at, created_at, required_retention_s
  on volume for each row when (new.origin = 'SCHEDULE' and new.state = 'READY')
  execute function keep_snapshot();

create function keep_snapshots_of_schedule() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    update volume
       set kept_until = coalesce(seen_at, created_at) + make_interval(secs => required_retention_s)
     where parent_id = old.volume_id and origin = 'SCHEDULE' and state = 'READY';
  else
    update volume
       set kept_until = case when new.retention_enabled then
             coalesce(seen_at, created_at) + make_interval(secs => new.retention_s) end
     where parent_id = new.volume_id and origin = 'SCHEDULE' and state = 'READY';
  end if;
  return null;
end
$$;

create trigger keep_snapshots_of_schedule
  after insert or delete on snapshot_schedule for each row
  execute function keep_snapshots_of_schedule();

create trigger keep_snapshots_of_changed_schedule
  after update of retention_s, retention_enabled on snapshot_schedule for each row
  when (old.retention_s is distinct from new.retention_s
        or old.retention_enabled <> new.retention_enabled)
  execute function keep_snapshots_of_schedule();

drop index volume_scheduled;
create index volume_kept_until on volume (kept_until, id) where state = 'READY';

-- The oldest scheduled snapshot of a volume, which compliance asks for.
create index volume_scheduled_of on volume (parent_id, (coalesce(seen_at, created_at)))
  where origin = 'SCHEDULE' and state = 'READY';
