CREATE TABLE "product_imports" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "farm_id" UUID NOT NULL,
  "language" TEXT NOT NULL DEFAULT '',
  "state" TEXT NOT NULL,
  "separator" TEXT NOT NULL,
  "decimal" TEXT,
  "encoding" TEXT NOT NULL,
  "question" JSONB,
  "version" INTEGER NOT NULL DEFAULT 1,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "applied_at" TIMESTAMPTZ(3),

  CONSTRAINT "product_imports_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "product_imports_farm_id_idx" ON "product_imports" ("farm_id");
CREATE INDEX "product_imports_created_at_idx" ON "product_imports" ("created_at");

CREATE TABLE "product_import_items" (
  "import_id" UUID NOT NULL,
  "position" INTEGER NOT NULL,
  "product_id" UUID NOT NULL,
  "is_pending" BOOLEAN NOT NULL,
  "plan" JSONB,
  "rows" JSONB NOT NULL,

  CONSTRAINT "product_import_items_pkey" PRIMARY KEY ("import_id", "position"),
  CONSTRAINT "product_import_items_import_id_fkey" FOREIGN KEY ("import_id")
    REFERENCES "product_imports" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
