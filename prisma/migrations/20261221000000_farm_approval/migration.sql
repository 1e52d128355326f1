-- Farms that are in the market stay in it. The default is for processes of the version before, which write
-- farms while new ones start.
ALTER TABLE "farmer_profiles"
  ADD COLUMN "approved_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
  ADD COLUMN "asked_at" TIMESTAMPTZ(3),
  ADD COLUMN "sent_back_reason" TEXT;

CREATE INDEX "farmer_profiles_approved_at_idx" ON "farmer_profiles"("approved_at");
