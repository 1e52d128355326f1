ALTER TABLE "farmer_profiles" ADD COLUMN "payment_details" TEXT NOT NULL DEFAULT '';
ALTER TABLE "farmer_profiles" ADD COLUMN "payment_version" INTEGER NOT NULL DEFAULT 1;
