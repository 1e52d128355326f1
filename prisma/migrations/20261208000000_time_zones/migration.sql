-- The market's and each farm's time zone. Until now every day was UTC's.
CREATE TABLE "market_settings" (
    "id" SMALLINT NOT NULL DEFAULT 1,
    "time_zone" TEXT NOT NULL DEFAULT 'UTC',

    CONSTRAINT "market_settings_pkey" PRIMARY KEY ("id")
);

INSERT INTO "market_settings" ("id", "time_zone") VALUES (1, 'UTC');

ALTER TABLE "farmer_profiles" ADD COLUMN "time_zone" TEXT NOT NULL DEFAULT 'UTC';

-- Orders know the instant of their handover, and the days on which they were placed.
ALTER TABLE "orders" ADD COLUMN "starts_at" TIMESTAMPTZ(3),
ADD COLUMN "ends_at" TIMESTAMPTZ(3),
ADD COLUMN "farm_day" DATE,
ADD COLUMN "market_day" DATE;

UPDATE "orders" SET "starts_at" = ("date" + "time"::time) AT TIME ZONE 'UTC',
    "farm_day" = ("created_at" AT TIME ZONE 'UTC')::date,
    "market_day" = ("created_at" AT TIME ZONE 'UTC')::date;
