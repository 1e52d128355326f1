-- Filled from the farms and their products by prisma/sql/farm_goods.sql, once its triggers are there.
CREATE TABLE "farm_goods" (
  "farmer_id" UUID NOT NULL,
  "last_day" DATE NOT NULL,

  CONSTRAINT "farm_goods_pkey" PRIMARY KEY ("farmer_id")
);
CREATE INDEX "farm_goods_last_day_idx" ON "farm_goods" ("last_day");
