-- What was ticked of a product that is deleted goes by its name.
ALTER TABLE "pick_ticks" ALTER COLUMN "product_id" DROP NOT NULL, ADD COLUMN "name" TEXT NOT NULL DEFAULT '';
DROP INDEX "pick_ticks_list_product";
CREATE UNIQUE INDEX "pick_ticks_list_product" ON "pick_ticks"("farm_id", "date", COALESCE("place_id", "farm_id"), COALESCE("product_id", "farm_id"), "name", "unit");
