-- When a scheduled snapshot was taken by the time that the provider had seen pass, which its
-- retention is judged by; null: when it was created. The times of snapshot_schedule are of that
-- time, too; until the first jump of a clock both are the same.

alter table volume
  add column seen_at timestamptz;
