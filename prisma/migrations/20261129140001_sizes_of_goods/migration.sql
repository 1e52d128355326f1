-- Products from before are sold in their unit from a stock, and nothing is known of their allergens.
ALTER TABLE "products"
  ADD COLUMN "unit_label" TEXT[] DEFAULT ARRAY[]::TEXT[],
  ADD COLUMN "net_milli" INTEGER,
  ADD COLUMN "net_unit" "Unit",
  ADD COLUMN "sizes" JSONB NOT NULL DEFAULT '[]',
  ADD COLUMN "sku" TEXT,
  ADD COLUMN "is_always" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "max_order_milli" INTEGER,
  ADD COLUMN "allergens" TEXT[] DEFAULT ARRAY['unknown'],
  ADD COLUMN "ingredients" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "storage" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "origin" TEXT NOT NULL DEFAULT '';

ALTER TABLE "order_lines"
  ADD COLUMN "size_id" UUID,
  ADD COLUMN "size_label" TEXT,
  ADD COLUMN "content_milli" INTEGER,
  ADD COLUMN "unit_label" TEXT[] DEFAULT ARRAY[]::TEXT[],
  ADD COLUMN "net_milli" INTEGER,
  ADD COLUMN "net_unit" "Unit",
  ADD COLUMN "takes_stock" BOOLEAN NOT NULL DEFAULT true;

CREATE TABLE "product_skus" (
  "farmer_id" UUID NOT NULL,
  "sku" TEXT NOT NULL,
  "product_id" UUID NOT NULL,

  CONSTRAINT "product_skus_pkey" PRIMARY KEY ("farmer_id", "sku"),
  CONSTRAINT "product_skus_product_id_fkey" FOREIGN KEY ("product_id") REFERENCES "products" ("id")
    ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "product_skus_product_id_idx" ON "product_skus" ("product_id");
