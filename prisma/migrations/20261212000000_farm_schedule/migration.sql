CREATE TYPE "AtCutoff" AS ENUM ('remind', 'accept', 'reject');

ALTER TABLE "farmer_profiles"
  ADD COLUMN "cutoff_days_before" SMALLINT,
  ADD COLUMN "cutoff_time" TEXT,
  ADD COLUMN "at_cutoff" "AtCutoff" NOT NULL DEFAULT 'remind',
  ADD COLUMN "closed_days" DATE[] NOT NULL DEFAULT ARRAY[]::DATE[],
  ADD COLUMN "schedule_version" INTEGER NOT NULL DEFAULT 1;
