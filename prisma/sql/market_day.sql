-- The market's time zone. Without its row, as in a database that is only being filled, it is UTC.
CREATE OR REPLACE FUNCTION market_zone() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT COALESCE((SELECT "time_zone" FROM "market_settings" WHERE "id" = 1), 'UTC')
$$;

-- The day that it is in a time zone. Names are checked when they are written.
CREATE OR REPLACE FUNCTION day_in(zone text) RETURNS date LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT (now() AT TIME ZONE zone)::date
$$;

-- The day that is "today" on the market.
CREATE OR REPLACE FUNCTION market_day() RETURNS date LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT day_in(market_zone())
$$;
