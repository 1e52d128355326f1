-- How long a shortage that is being shared counts as under way without a word of whoever is at it.
ALTER TABLE "shortages" ADD COLUMN "run_until" TIMESTAMPTZ(3);
