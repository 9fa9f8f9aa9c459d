-- Locks of recovery points (docs/decisions/0063). The locks themselves are in the pool.
alter table protection_rule
  add column lock_s bigint check (lock_s > 0);

alter table recovery_point
  -- until when its rule wants its snapshots locked, by the lock time of the pool; null for no lock
  add column lock_until timestamptz,
  -- whether that has been done
  add column locked boolean not null default false;
create index recovery_point_to_lock on recovery_point (id) where lock_until is not null and not locked;
