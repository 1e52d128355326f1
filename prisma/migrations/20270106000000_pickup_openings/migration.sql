-- Cards and products of a farm with pickup places say when one can pick up there, not when the farm is open.
ALTER TABLE "farmer_profiles" ADD COLUMN "pickup_openings" JSONB NOT NULL DEFAULT '[]';
-- Hours of one day that overlap or touch are one range; days with the same hours stand together.
WITH "ranges" AS (
  SELECT place."farm_id", hours."weekday", unnest(range_agg(tsrange(
    ('2000-01-01 ' || hours."from_time")::timestamp, ('2000-01-01 ' || hours."to_time")::timestamp
  ))) AS "range"
  FROM "places" place JOIN "place_hours" hours ON hours."place_id" = place."id"
  WHERE place."is_active" AND place."removed_at" IS NULL
  GROUP BY place."farm_id", hours."weekday"
), "openings" AS (
  SELECT "farm_id", "range", min("weekday") AS "first", jsonb_build_object(
    'days', jsonb_agg((ARRAY[
      'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'
    ])["weekday" + 1] ORDER BY "weekday"),
    'open', to_char(lower("range"), 'HH24:MI'), 'close', to_char(upper("range"), 'HH24:MI')
  ) AS "opening"
  FROM "ranges" GROUP BY "farm_id", "range"
)
UPDATE "farmer_profiles" farm SET "pickup_openings" = made."openings"
FROM (
  SELECT "farm_id", jsonb_agg("opening" ORDER BY "first", "range") AS "openings"
  FROM "openings" GROUP BY "farm_id"
) AS made
WHERE farm."user_id" = made."farm_id";
