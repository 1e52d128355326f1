-- By its version an edit notices that somebody else changed a profile meanwhile.
ALTER TABLE "users" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1;

ALTER TABLE "farmer_profiles" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1;
