-- Until when a farm takes no orders, and its words for customers; since when and by whom it was paused last, null where
-- the market did so by itself.
ALTER TABLE "farmer_profiles" ADD COLUMN "paused_at" TIMESTAMPTZ(3),
  ADD COLUMN "paused_until" TIMESTAMPTZ(3),
  ADD COLUMN "pause_note" TEXT,
  ADD COLUMN "paused_by" UUID;

ALTER TABLE "farmer_profiles" ADD CONSTRAINT "farmer_profiles_paused_by_fkey"
  FOREIGN KEY ("paused_by") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- The admins' feed lists the pauses by the market itself.
CREATE INDEX "farmer_profiles_paused_at_idx" ON "farmer_profiles" ("paused_at");
