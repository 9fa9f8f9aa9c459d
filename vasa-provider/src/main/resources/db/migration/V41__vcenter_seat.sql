-- Who may become a registration's vCenter, and who may take over a name; see Claims.
ALTER TABLE trust_set DROP COLUMN vcenter_guid;
ALTER TABLE trust_set ADD COLUMN registered timestamptz;
ALTER TABLE trust_set ADD COLUMN awaits_vcenter boolean NOT NULL DEFAULT true;
ALTER TABLE trust_set ADD COLUMN replaced_by uuid REFERENCES trust_set ON DELETE CASCADE;
UPDATE trust_set SET registered = created,
  awaits_vcenter = NOT EXISTS (SELECT FROM claim WHERE kind = 'vcenter' AND trust_set = trust_set.id);
ALTER TABLE trust_set ALTER COLUMN registered SET NOT NULL;

-- The certificates that the owner showed last, and when; none are known of older rows.
ALTER TABLE claim ADD COLUMN certificates text NOT NULL DEFAULT '';
ALTER TABLE claim ADD COLUMN used timestamptz;
UPDATE claim SET used = since;
ALTER TABLE claim ALTER COLUMN used SET NOT NULL;
