-- What a farm usually has and this one does not need, so that its dashboard asks for it no longer.
ALTER TABLE "farmer_profiles" ADD COLUMN "set_aside_steps" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[];
