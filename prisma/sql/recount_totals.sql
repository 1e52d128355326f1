-- Counts all totals again from the rows, for rows that were written without the triggers.
CREATE OR REPLACE FUNCTION recount_totals() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  LOCK TABLE "orders", "users" IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM "farm_order_totals";
  DELETE FROM "market_order_totals";
  DELETE FROM "user_totals";
  INSERT INTO "farm_order_totals"
    SELECT "farmer_id", COALESCE(utc_day("created_at"), '-infinity'), "status", 0, count(*), sum("total_minor")
    FROM "orders"
    GROUP BY GROUPING SETS (("farmer_id", utc_day("created_at"), "status"), ("farmer_id", "status"));
  INSERT INTO "market_order_totals"
    SELECT "day", "status", 0, sum("orders"), sum("total_minor")
    FROM "farm_order_totals" GROUP BY "day", "status";
  INSERT INTO "user_totals"
    SELECT "role", 0, count(*) FROM "users" WHERE "deleted_at" IS NULL GROUP BY "role";
END $$;
