-- The units of a market stay as they are: a process of the release before could not read these two among them.
ALTER TABLE "market_settings" ADD COLUMN "adds_litres" BOOLEAN NOT NULL DEFAULT true;
