-- Which pool this database belongs to, and the name that the pool knows this database by. One row.
CREATE TABLE pool_link (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  pool_id uuid NOT NULL,
  database_id uuid NOT NULL,
  since timestamptz NOT NULL
);
