-- Counts orders and their sums by farm and by market, per status, per day and (day `-infinity`) in all, in
-- the transaction that changes them, so that no dashboard walks through all orders. An order counts on the
-- day on which it was placed, by the farm's and by the market's clock; on UTC's where it has none.
CREATE OR REPLACE FUNCTION utc_day(value timestamptz) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT (value AT TIME ZONE 'UTC')::date $$;

-- Adds an order (`p_sign` 1) or takes it away (-1). The farm before the market: one order of locks.
CREATE OR REPLACE FUNCTION count_order(p_order "orders", p_sign int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "farm_order_totals" AS t
    VALUES
      (p_order."farmer_id", '-infinity', p_order."status", totals_slot(), p_sign,
        p_sign * p_order."total_minor"),
      (p_order."farmer_id", COALESCE(p_order."farm_day", utc_day(p_order."created_at")),
        p_order."status", totals_slot(), p_sign, p_sign * p_order."total_minor")
    ON CONFLICT ("farmer_id", "day", "status", "slot") DO UPDATE
      SET "orders" = t."orders" + EXCLUDED."orders",
          "total_minor" = t."total_minor" + EXCLUDED."total_minor";
  INSERT INTO "market_order_totals" AS t
    VALUES
      ('-infinity', p_order."status", totals_slot(), p_sign, p_sign * p_order."total_minor"),
      (COALESCE(p_order."market_day", utc_day(p_order."created_at")), p_order."status", totals_slot(),
        p_sign, p_sign * p_order."total_minor")
    ON CONFLICT ("day", "status", "slot") DO UPDATE
      SET "orders" = t."orders" + EXCLUDED."orders",
          "total_minor" = t."total_minor" + EXCLUDED."total_minor";
END $$;

CREATE OR REPLACE FUNCTION orders_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    PERFORM count_order(OLD, -1);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM count_order(NEW, 1);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER "orders_count_placed" AFTER INSERT OR DELETE ON "orders"
  FOR EACH ROW EXECUTE FUNCTION orders_count();

CREATE OR REPLACE TRIGGER "orders_count_changed"
  AFTER UPDATE OF "status", "total_minor", "farmer_id", "created_at" ON "orders"
  FOR EACH ROW
  WHEN ((OLD."status", OLD."total_minor", OLD."farmer_id", OLD."created_at")
    IS DISTINCT FROM (NEW."status", NEW."total_minor", NEW."farmer_id", NEW."created_at"))
  EXECUTE FUNCTION orders_count();
