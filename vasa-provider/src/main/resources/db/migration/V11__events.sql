-- Next ids. The row lock of the update is held to the end of the transaction, so ids become visible
-- in their order and a client that polls misses none.
CREATE TABLE event_counter (
  kind text PRIMARY KEY CHECK (kind IN ('event', 'alarm')),
  last_id bigint NOT NULL
);
INSERT INTO event_counter (kind, last_id) VALUES ('event', 0), ('alarm', 0);

CREATE TABLE event (
  id bigint PRIMARY KEY,
  at timestamptz NOT NULL,
  type text NOT NULL,
  config_type text,
  object_type text,
  object_id text,
  message_id text NOT NULL,
  -- guid of the only peer that may see it; null: every peer
  audience text,
  -- ids of the virtual volumes of a Rebind event
  virtual_volumes text[] NOT NULL DEFAULT '{}',
  parameter_names text[] NOT NULL DEFAULT '{}',
  parameter_values text[] NOT NULL DEFAULT '{}'
);

CREATE TABLE alarm (
  id bigint PRIMARY KEY,
  at timestamptz NOT NULL,
  type text NOT NULL,
  status text NOT NULL CHECK (status IN ('Green', 'Yellow', 'Red')),
  object_type text NOT NULL,
  object_id text NOT NULL,
  container_id text,
  message_id text NOT NULL,
  parameter_names text[] NOT NULL DEFAULT '{}',
  parameter_values text[] NOT NULL DEFAULT '{}'
);
CREATE INDEX alarm_object ON alarm (object_id, type, id);
