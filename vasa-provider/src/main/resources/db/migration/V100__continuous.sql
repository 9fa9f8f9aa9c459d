-- The continuous rule of a protection policy (docs/decisions/0069): its tiers in their order, in seconds.
alter table protection_policy
  add column tier_every_s bigint[] not null default '{}',
  add column tier_keep_s bigint[] not null default '{}',
  add constraint protection_policy_tiers
    check (cardinality(tier_every_s) = cardinality(tier_keep_s) and cardinality(tier_every_s) <= 4);

-- Volumes with a journal that no group protects any more. Journals themselves are in the pool.
create table ended_timeline (
  volume_id uuid primary key,
  -- when the journal ends, by the time that has passed (V67)
  ends_at timestamptz not null
);
