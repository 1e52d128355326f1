-- In which steps and from which quantity a product is sold, in thousandths of the unit. Null is as until now:
-- whole units, from one step on.
ALTER TABLE "products" ADD COLUMN "step_milli" INTEGER, ADD COLUMN "minimum_milli" INTEGER;
