-- What a farm looks at before it accepts an order: its customer wrote a place of their own, or left open whether the
-- address is within the farm's area. Orders from before say neither.
ALTER TABLE "orders" ADD COLUMN "is_own_place" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "is_area_open" BOOLEAN NOT NULL DEFAULT false;
