-- A time as the wire has it: ISO 8601 UTC with milliseconds.
CREATE OR REPLACE FUNCTION iso_instant(value timestamptz) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT to_char(value AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
