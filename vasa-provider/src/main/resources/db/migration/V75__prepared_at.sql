-- When a snapshot was prepared by the time that the provider had seen pass, which its longest age is
-- judged by; null: when it was created.

alter table volume
  add column prepared_at timestamptz;
