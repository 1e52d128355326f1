-- How far the orders of a shortage are done. Those from before this are long over.
ALTER TABLE "shortages" ADD COLUMN "done" INTEGER NOT NULL DEFAULT 0, ADD COLUMN "finished_at" TIMESTAMPTZ(3);
UPDATE "shortages" SET "done" = jsonb_array_length("shares"), "finished_at" = "created_at";
