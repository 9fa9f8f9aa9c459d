-- Tiers of journals that no policy wants any more, or for a shorter time: each stays as it was for a grace.
create table ending_tier (
  volume_id uuid not null,
  -- the time between points: a journal has each only once
  every_s bigint not null,
  -- when the tier ends, by the time that has passed (V67)
  ends_at timestamptz not null,
  primary key (volume_id, every_s)
);
