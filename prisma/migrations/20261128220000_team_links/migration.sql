ALTER TABLE "market_settings" ADD COLUMN "team_links" TEXT[] NOT NULL DEFAULT '{}';
