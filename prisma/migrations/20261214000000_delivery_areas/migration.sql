-- The postcodes and cities that a farm delivers to; empty where it lists none.
ALTER TABLE "farmer_profiles" ADD COLUMN "delivery_areas" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[];
-- The buyer said that the address is within the farm's area, which nothing else tells.
ALTER TABLE "orders" ADD COLUMN "is_area_confirmed" BOOLEAN NOT NULL DEFAULT false;
