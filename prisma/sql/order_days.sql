-- Fills in the days on which an order was placed, by the farm's and the market's clock of that moment. An
-- order keeps them, so that no figure of a day that is over changes when a time zone does.
--
-- It also fills in the instant of the handover for a writer that does not know of it yet. The server always
-- brings it, computed by `instantOf`; this one differs in the hour that a clock shows twice in autumn.
CREATE OR REPLACE FUNCTION orders_set_days() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  farm_zone text := COALESCE(
    (SELECT farm."time_zone" FROM "farmer_profiles" farm WHERE farm."user_id" = NEW."farmer_id"), 'UTC');
BEGIN
  NEW."farm_day" := (NEW."created_at" AT TIME ZONE farm_zone)::date;
  NEW."market_day" := (NEW."created_at" AT TIME ZONE market_zone())::date;
  IF NEW."starts_at" IS NULL THEN
    NEW."starts_at" := (NEW."date" + NEW."time"::time) AT TIME ZONE farm_zone;
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER "orders_days" BEFORE INSERT OR UPDATE OF "created_at", "farmer_id" ON "orders"
  FOR EACH ROW EXECUTE FUNCTION orders_set_days();
