-- One move of a volume for each destination: hosts of several registrations may have bound it.
alter table binding_change drop constraint binding_change_pkey;
alter table binding_change add primary key (volume_id, destination);
