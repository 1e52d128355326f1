-- Weeks have begun with Monday so far. No admin could have chosen another day yet.
ALTER TABLE "market_settings" ALTER COLUMN "week_start" SET DEFAULT 1;
UPDATE "market_settings" SET "week_start" = 1;
