-- "Sold out until tomorrow": the stock that was set aside, in thousandths of the unit, and when it returns.
ALTER TABLE "products" ADD COLUMN "aside_milli" BIGINT, ADD COLUMN "returns_at" TIMESTAMPTZ(3);
