-- Where the audit trail's way to the syslog server has come to: one row, once there was a server.
create table audit_syslog (
  whole boolean primary key default true check (whole),
  -- last entry that counts as sent
  position bigint not null,
  -- entries that were gone before they could be sent
  lost bigint not null default 0
);
