-- What a protection policy wants when a volume is suspected of being encrypted (docs/decisions/0066).
alter table protection_policy
  -- whether there is an alert
  add column watch_alert boolean not null default true,
  -- how long the recovery point is locked that is taken then; null for none
  add column watch_lock_s bigint check (watch_lock_s > 0);
