-- Quantities in thousandths of the unit. The columns get other names, so that a process that still counts in
-- whole units fails instead of selling thousandths. Stock is a bigint: what comes back to the shelf may make it
-- larger than a farmer may set it.
ALTER TABLE "products" RENAME COLUMN "quantity_available" TO "stock_milli";
ALTER TABLE "products" ALTER COLUMN "stock_milli" TYPE BIGINT USING "stock_milli"::bigint * 1000;

ALTER TABLE "order_lines" RENAME COLUMN "quantity" TO "quantity_milli";
ALTER TABLE "order_lines" ALTER COLUMN "quantity_milli" TYPE INTEGER USING "quantity_milli" * 1000;
