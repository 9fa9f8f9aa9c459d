-- The roots of one registration; see TrustSets.
CREATE TABLE trust_set (
  id uuid PRIMARY KEY,
  created timestamptz NOT NULL,
  registered_from text NOT NULL,
  vcenter_guid text
);

CREATE TABLE trust_root (
  trust_set uuid NOT NULL REFERENCES trust_set ON DELETE CASCADE,
  position integer NOT NULL,
  fingerprint text NOT NULL,
  pem text NOT NULL,
  PRIMARY KEY (trust_set, fingerprint)
);

CREATE TABLE revocation_list (
  trust_set uuid NOT NULL REFERENCES trust_set ON DELETE CASCADE,
  position integer NOT NULL,
  pem text NOT NULL,
  PRIMARY KEY (trust_set, position)
);

-- Names and the client that claimed each first.
CREATE TABLE claim (
  kind text NOT NULL CHECK (kind IN ('vcenter', 'host', 'initiator')),
  name text NOT NULL,
  trust_set uuid NOT NULL REFERENCES trust_set ON DELETE CASCADE,
  subject text NOT NULL,
  since timestamptz NOT NULL,
  PRIMARY KEY (kind, name)
);
CREATE INDEX claim_trust_set ON claim (trust_set);
