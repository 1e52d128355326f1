-- A farm's own pictures, beside the drawn landscape that stands in for them.
ALTER TABLE "farmer_profiles" ADD COLUMN "photo" TEXT, ADD COLUMN "cover" TEXT;
