-- A product that was sold by weight and is now sold by the piece is two rows of a list, and each has its own tick.
ALTER TABLE "pick_ticks" ADD COLUMN "is_by_piece" BOOLEAN NOT NULL DEFAULT false;
DROP INDEX "pick_ticks_list_product";
CREATE UNIQUE INDEX "pick_ticks_list_product" ON "pick_ticks"("farm_id", "date", COALESCE("place_id", "farm_id"), COALESCE("product_id", "farm_id"), "name", "unit", "is_by_piece");
-- What was ticked before counts as the first order of the day does: a farm that changed how it sells has ticked those.
UPDATE "pick_ticks" tick SET "is_by_piece" = true
WHERE (
  SELECT line."piece_milli" IS NOT NULL
  FROM "order_lines" line JOIN "orders" o ON o."id" = line."order_id"
  WHERE o."farmer_id" = tick."farm_id" AND o."date" = tick."date" AND line."unit" = tick."unit"
    AND (line."product_id" = tick."product_id"
      OR (tick."product_id" IS NULL AND line."product_id" IS NULL AND line."name" = tick."name"))
  ORDER BY o."created_at", o."id", line."position" LIMIT 1
);
