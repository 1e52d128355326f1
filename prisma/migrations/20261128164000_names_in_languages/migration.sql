-- Categories and the market's own pages in each of its languages.
ALTER TABLE "categories" ADD COLUMN "names" JSONB NOT NULL DEFAULT '{}';
ALTER TABLE "market_pages" ADD COLUMN "language" TEXT,
  ADD COLUMN "texts" JSONB NOT NULL DEFAULT '{}';
