-- A farm chooses whether its page shows the email of its founder, as it has done so far.
ALTER TABLE "farmer_profiles" ADD COLUMN "shows_email" BOOLEAN NOT NULL DEFAULT true;
