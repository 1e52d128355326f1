-- A farm's organic certificate, and which products lost their mark with its end.
ALTER TABLE "farmer_profiles"
  ADD COLUMN "certificate_code" TEXT,
  ADD COLUMN "certificate_image" TEXT,
  ADD COLUMN "certificate_until" DATE;
ALTER TABLE "products" ADD COLUMN "is_organic_lapsed" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "market_settings" ADD COLUMN "requires_organic_certificate" BOOLEAN NOT NULL DEFAULT false;

-- The lot that was packed. Whoever got it is found by it, whatever case it is written in.
ALTER TABLE "order_lines" ADD COLUMN "lot" TEXT;
CREATE INDEX "order_lines_lot" ON "order_lines" (lower("lot")) WHERE "lot" IS NOT NULL;
