-- Copies the place of an order's slot to the order, which keeps it when the slot is gone.
CREATE OR REPLACE FUNCTION orders_set_place() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."place_id" := (SELECT "place_id" FROM "slots" WHERE "id" = NEW."slot_id");
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER "orders_place" BEFORE INSERT OR UPDATE OF "slot_id" ON "orders"
  FOR EACH ROW WHEN (NEW."slot_id" IS NOT NULL) EXECUTE FUNCTION orders_set_place();
