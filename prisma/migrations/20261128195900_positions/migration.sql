-- Where farms and their pickup places are, and the places as cards show them.
ALTER TABLE "farmer_profiles"
  ADD COLUMN "latitude" DOUBLE PRECISION,
  ADD COLUMN "longitude" DOUBLE PRECISION,
  ADD COLUMN "pickup_places" JSONB NOT NULL DEFAULT '[]';
ALTER TABLE "places"
  ADD COLUMN "latitude" DOUBLE PRECISION,
  ADD COLUMN "longitude" DOUBLE PRECISION;

UPDATE "farmer_profiles" farm SET "pickup_places" = COALESCE((
  SELECT jsonb_agg(
    jsonb_build_object('town', place."city", 'openings', hours.openings)
    ORDER BY place."name", place."id")
  FROM "places" place CROSS JOIN LATERAL (
    SELECT jsonb_agg(
      jsonb_build_object('days', days, 'open', from_time, 'close', to_time)
      ORDER BY first_day, from_time) AS openings
    FROM (
      SELECT from_time, to_time, min(weekday) AS first_day, array_agg(
        ('{monday,tuesday,wednesday,thursday,friday,saturday,sunday}'::text[])[weekday + 1]
        ORDER BY weekday) AS days
      FROM "place_hours" WHERE "place_id" = place."id" GROUP BY from_time, to_time) shared
  ) hours
  WHERE place."farm_id" = farm."user_id" AND place."is_active" AND place."removed_at" IS NULL
    AND hours.openings IS NOT NULL), '[]')
WHERE farm."has_slots";
