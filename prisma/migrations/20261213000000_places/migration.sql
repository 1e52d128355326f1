CREATE TYPE "SlotState" AS ENUM ('open', 'closed', 'cancelled');

ALTER TABLE "farmer_profiles"
  ADD COLUMN "has_slots" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "places_version" INTEGER NOT NULL DEFAULT 0;

CREATE TABLE "places" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "farm_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "street" TEXT NOT NULL,
    "city" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT '',
    "zip_code" TEXT NOT NULL DEFAULT '',
    "directions" TEXT NOT NULL DEFAULT '',
    "phone" TEXT NOT NULL DEFAULT '',
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "removed_at" TIMESTAMPTZ(3),

    CONSTRAINT "places_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "place_hours" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "place_id" UUID NOT NULL,
    "weekday" SMALLINT NOT NULL,
    "from_time" VARCHAR(5) NOT NULL,
    "to_time" VARCHAR(5) NOT NULL,
    "slot_minutes" INTEGER NOT NULL,
    "capacity" INTEGER,

    CONSTRAINT "place_hours_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "slots" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "farm_id" UUID NOT NULL,
    "place_id" UUID NOT NULL,
    "date" DATE NOT NULL,
    "from_time" VARCHAR(5) NOT NULL,
    "to_time" VARCHAR(5) NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "capacity" INTEGER,
    "has_own_capacity" BOOLEAN NOT NULL DEFAULT false,
    "taken" INTEGER NOT NULL DEFAULT 0,
    "state" "SlotState" NOT NULL DEFAULT 'open',

    CONSTRAINT "slots_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "places_farm_id_name_id_idx" ON "places"("farm_id", "name", "id");
CREATE UNIQUE INDEX "place_hours_place_id_weekday_from_time_key" ON "place_hours"("place_id", "weekday", "from_time");
CREATE UNIQUE INDEX "slots_place_id_date_from_time_to_time_key" ON "slots"("place_id", "date", "from_time", "to_time");
CREATE INDEX "slots_farm_id_date_from_time_idx" ON "slots"("farm_id", "date", "from_time");

ALTER TABLE "places" ADD CONSTRAINT "places_farm_id_fkey"
  FOREIGN KEY ("farm_id") REFERENCES "farmer_profiles"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "place_hours" ADD CONSTRAINT "place_hours_place_id_fkey"
  FOREIGN KEY ("place_id") REFERENCES "places"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "slots" ADD CONSTRAINT "slots_farm_id_fkey"
  FOREIGN KEY ("farm_id") REFERENCES "farmer_profiles"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "slots" ADD CONSTRAINT "slots_place_id_fkey"
  FOREIGN KEY ("place_id") REFERENCES "places"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "orders"
  ADD COLUMN "slot_id" UUID,
  ADD COLUMN "end_time" VARCHAR(5),
  ADD COLUMN "place_name" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "place_directions" TEXT NOT NULL DEFAULT '';
CREATE INDEX "orders_slot_id_created_at_id_idx" ON "orders"("slot_id", "created_at" DESC, "id" DESC);
ALTER TABLE "orders" ADD CONSTRAINT "orders_slot_id_fkey"
  FOREIGN KEY ("slot_id") REFERENCES "slots"("id") ON DELETE SET NULL ON UPDATE CASCADE;
