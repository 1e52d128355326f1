-- How many days ahead customers can order from a farm: eight weeks where it says nothing else.
ALTER TABLE "farmer_profiles" ADD COLUMN "bookable_days" SMALLINT NOT NULL DEFAULT 56;
