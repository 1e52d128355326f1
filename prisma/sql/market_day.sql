-- The day that is "today" on the market: UTC's.
CREATE OR REPLACE FUNCTION market_day() RETURNS date LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT (now() AT TIME ZONE 'UTC')::date
$$;
