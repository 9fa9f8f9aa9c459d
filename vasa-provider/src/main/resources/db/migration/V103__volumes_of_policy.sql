-- As V72, for the volumes of one policy: a rare one is not searched for among all others.
create index volume_of_policy on volume (profile_id, created_at, id)
  where state = 'READY' and not snapshot and profile_id is not null;
