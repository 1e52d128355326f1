-- Country and units stay null until an admin saves them: the server derives them from the other settings by the data
-- of Intl, which Postgres does not have (see contract/platform/market/countries.ts).
CREATE TYPE "UnitSystem" AS ENUM ('metric', 'us');
ALTER TABLE "market_settings" ADD COLUMN "country" TEXT;
ALTER TABLE "market_settings" ADD COLUMN "unit_system" "UnitSystem";
ALTER TABLE "market_settings" ADD COLUMN "languages" TEXT[] NOT NULL DEFAULT ARRAY['en']::TEXT[];
