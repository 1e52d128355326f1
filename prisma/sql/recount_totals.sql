-- Counts all totals again from the rows, for rows that were written without the triggers.
CREATE OR REPLACE FUNCTION recount_totals() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  LOCK TABLE "orders", "users", "products", "farmer_profiles" IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM "farm_order_totals";
  DELETE FROM "market_order_totals";
  DELETE FROM "user_totals";
  DELETE FROM "farm_goods";
  INSERT INTO "farm_order_totals"
    SELECT "farmer_id", COALESCE("day", '-infinity'), "status", 0, count(*), sum("total_minor")
    FROM (SELECT *, COALESCE("farm_day", utc_day("created_at")) AS "day" FROM "orders") AS placed
    GROUP BY GROUPING SETS (("farmer_id", "day", "status"), ("farmer_id", "status"));
  INSERT INTO "market_order_totals"
    SELECT COALESCE("day", '-infinity'), "status", 0, count(*), sum("total_minor")
    FROM (SELECT *, COALESCE("market_day", utc_day("created_at")) AS "day" FROM "orders") AS placed
    GROUP BY GROUPING SETS (("day", "status"), ("status"));
  INSERT INTO "user_totals"
    SELECT "role", 0, count(*) FROM "users" WHERE "deleted_at" IS NULL AND NOT "is_farm" GROUP BY "role";
  PERFORM fill_farm_goods();
END $$;
