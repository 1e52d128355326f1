-- The language that a person reads the market in (BCP 47); null until they choose one.
ALTER TABLE "users" ADD COLUMN "language" TEXT;
