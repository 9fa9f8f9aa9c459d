-- Which session prepared a snapshot, and since when that session is known to have ended.

alter table volume
  add column prepared_in uuid,
  add column abandoned_at timestamptz;

create index volume_prepared on volume (abandoned_at) where state = 'PREPARED';
