-- How a farm's shortage of a product was shared, so that asking again goes on with the same shares.
CREATE TABLE "shortages" (
    "id" UUID NOT NULL,
    "farm_id" UUID NOT NULL,
    "product_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "shares" JSONB NOT NULL,

    CONSTRAINT "shortages_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "shortages_farm_id_idx" ON "shortages"("farm_id");
ALTER TABLE "shortages" ADD CONSTRAINT "shortages_farm_id_fkey" FOREIGN KEY ("farm_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
