-- Volumes that replication has taken out of use: cycles alone write them. Their rows stay, with all that belongs to
-- them, in a state that nobody but the recovery reads.
alter table volume drop constraint volume_state_check;
alter table volume add constraint volume_state_check
  check (state in ('CREATING', 'PREPARED', 'READY', 'BINNED', 'CARRIER'));

create index volume_carrier on volume (id) where state = 'CARRIER';
