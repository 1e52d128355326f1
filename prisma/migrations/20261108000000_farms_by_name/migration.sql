-- Orders are searched by part of the farm's name; without this every farm is looked at.
CREATE INDEX "farmer_profiles_farm_name_trgm" ON "farmer_profiles" USING GIN ("farm_name" gin_trgm_ops);
