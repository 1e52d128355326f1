-- A member's private calendar of the farm: what its address is made from; null without one.
ALTER TABLE "farm_members" ADD COLUMN "calendar_key" UUID;
