-- Keeps `products.search_text` equal to the search form of name, description and farm name.
CREATE OR REPLACE FUNCTION products_set_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."search_text" := search_form(
    NEW."name" || ' ' || NEW."description" || ' ' || COALESCE(
      (SELECT "farm_name" FROM "farmer_profiles" WHERE "user_id" = NEW."farmer_id"), ''));
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER "products_search_text"
  BEFORE INSERT OR UPDATE OF "name", "description", "farmer_id" ON "products"
  FOR EACH ROW EXECUTE FUNCTION products_set_search_text();

-- Writing a searched column makes the trigger above run for every product of the farm. The rows are
-- locked by ascending id, as everything that writes several products does.
CREATE OR REPLACE FUNCTION farmer_profiles_renamed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM "products" WHERE "farmer_id" = NEW."user_id" ORDER BY "id" FOR NO KEY UPDATE;
  UPDATE "products" SET "name" = "name" WHERE "farmer_id" = NEW."user_id";
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER "farmer_profiles_renamed"
  AFTER UPDATE OF "farm_name" ON "farmer_profiles"
  FOR EACH ROW WHEN (OLD."farm_name" IS DISTINCT FROM NEW."farm_name")
  EXECUTE FUNCTION farmer_profiles_renamed();

CREATE OR REPLACE TRIGGER "farmer_profiles_added"
  AFTER INSERT ON "farmer_profiles"
  FOR EACH ROW WHEN (NEW."farm_name" <> '')
  EXECUTE FUNCTION farmer_profiles_renamed();
