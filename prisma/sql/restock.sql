-- Notes since when there is enough of a product for an order again, by whatever way its stock, its smallest order or its
-- last day changes. The time is read once the row is locked, so that it is later than the wishes of those who asked
-- before.
CREATE OR REPLACE FUNCTION note_restock() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.restock_at := clock_timestamp();
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION can_be_ordered(p "products") RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT p."stock_milli" >= COALESCE(p."minimum_milli", p."step_milli", 1000)
    AND (p."available_until" IS NULL OR is_last_day_ahead(p."farmer_id", p."available_until"))
$$;

CREATE OR REPLACE TRIGGER "products_restock"
  BEFORE UPDATE OF "stock_milli", "minimum_milli", "step_milli", "available_until" ON "products"
  FOR EACH ROW WHEN (
    (NEW."stock_milli" > OLD."stock_milli"
      OR NEW."minimum_milli" IS DISTINCT FROM OLD."minimum_milli"
      OR NEW."step_milli" IS DISTINCT FROM OLD."step_milli"
      OR NEW."available_until" IS DISTINCT FROM OLD."available_until")
    AND NOT can_be_ordered(OLD) AND can_be_ordered(NEW))
  EXECUTE FUNCTION note_restock();
