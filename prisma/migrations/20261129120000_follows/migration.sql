-- Favourites take the place of stock alerts, whose rows become those of customers who wait. A process of the release
-- before goes on with `stock_alerts`, which `prisma/sql` makes again as a view.
CREATE TYPE "FollowState" AS ENUM ('waiting', 'told', 'ended');

CREATE TABLE "follows" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "user_id" UUID NOT NULL,
  "product_id" UUID,
  "farm_id" UUID,
  "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "state" "FollowState" NOT NULL DEFAULT 'waiting',
  "told_at" TIMESTAMPTZ(3),
  "wave" TIMESTAMPTZ(3),
  "expires_at" TIMESTAMPTZ(3) NOT NULL DEFAULT (now() + '90 days'::interval),

  CONSTRAINT "follows_pkey" PRIMARY KEY ("id")
);

ALTER TABLE "products" ADD COLUMN "restock_at" TIMESTAMPTZ(3),
  ADD COLUMN "last_wave_at" TIMESTAMPTZ(3);

-- What is in stock and awaited has returned while its farm or the product was off the market.
UPDATE "products" p SET "restock_at" = now()
WHERE p."stock_milli" >= COALESCE(p."minimum_milli", p."step_milli", 1000)
  AND EXISTS (SELECT FROM "stock_alerts" a WHERE a."product_id" = p."id");

INSERT INTO "follows" ("user_id", "product_id", "since")
SELECT "user_id", "product_id", "created_at" FROM "stock_alerts";

DROP TABLE "stock_alerts";

CREATE UNIQUE INDEX "follows_user_id_product_id_key" ON "follows" ("user_id", "product_id");
CREATE UNIQUE INDEX "follows_user_id_farm_id_key" ON "follows" ("user_id", "farm_id");
CREATE INDEX "follows_product_id_state_since_idx" ON "follows" ("product_id", "state", "since");
CREATE INDEX "follows_farm_id_idx" ON "follows" ("farm_id");
CREATE INDEX "follows_expires_at_idx" ON "follows" ("expires_at");

ALTER TABLE "follows"
  ADD CONSTRAINT "follows_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  ADD CONSTRAINT "follows_product_id_fkey"
    FOREIGN KEY ("product_id") REFERENCES "products" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  ADD CONSTRAINT "follows_farm_id_fkey"
    FOREIGN KEY ("farm_id") REFERENCES "farmer_profiles" ("user_id") ON DELETE CASCADE ON UPDATE CASCADE;
