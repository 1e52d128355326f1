-- What processes of the release before read and write, which know of no favourites: those who wait for a product. Whom
-- they take off, they have notified, or it was asked for; either way the favourite stays. To be removed with the next
-- release.
CREATE OR REPLACE VIEW "stock_alerts" AS
  SELECT "user_id", "product_id", "since" AS "created_at" FROM "follows"
  WHERE "product_id" IS NOT NULL AND "state" = 'waiting';

CREATE OR REPLACE FUNCTION write_stock_alert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    UPDATE "follows" SET "state" = 'told', "told_at" = now()
    WHERE "user_id" = OLD.user_id AND "product_id" = OLD.product_id AND "state" = 'waiting';
    IF NOT FOUND THEN
      RETURN NULL;
    END IF;
    RETURN OLD;
  END IF;
  -- Not when the other process says: its clock may differ from the one that notes returns.
  NEW.created_at := clock_timestamp();
  INSERT INTO "follows" ("user_id", "product_id", "since")
  VALUES (NEW.user_id, NEW.product_id, NEW.created_at)
  ON CONFLICT ("user_id", "product_id") DO UPDATE SET "state" = 'waiting', "since" = EXCLUDED."since",
    "wave" = NULL, "expires_at" = EXCLUDED."expires_at";
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER "stock_alerts_written" INSTEAD OF INSERT OR DELETE ON "stock_alerts"
  FOR EACH ROW EXECUTE FUNCTION write_stock_alert();
