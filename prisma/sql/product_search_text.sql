-- Keeps `products.search_text` equal to the search form of name, description, sizes that are on, farm name, place and all
-- names of the category, and `products.name_text` to the words of the name. New words are remembered, in one order, so that two
-- writers of the same new words wait for each other instead of locking each other out.
CREATE OR REPLACE FUNCTION products_set_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."search_text" := search_form(
    NEW."name" || ' ' || NEW."description" || ' ' || COALESCE((
      SELECT string_agg(size ->> 'label', ' ') FROM jsonb_array_elements(NEW."sizes") AS size
      WHERE (size ->> 'isActive')::boolean), '') || ' ' || COALESCE((
      SELECT COALESCE(f."farm_name", '') || ' ' || u."city" || ' ' || u."state" || ' ' || u."zip_code"
      FROM "users" u LEFT JOIN "farmer_profiles" f ON f."user_id" = u."id"
      WHERE u."id" = NEW."farmer_id"), '') || ' ' || COALESCE((
      SELECT c."name" || ' ' || COALESCE((SELECT string_agg(value, ' ') FROM jsonb_each_text(c."names")), '')
      FROM "categories" c WHERE c."id" = NEW."category_id"), ''));
  NEW."name_text" := search_words(NEW."name");
  IF TG_OP = 'INSERT' OR OLD."name_text" <> NEW."name_text" THEN
    INSERT INTO "search_words" ("word")
      SELECT DISTINCT word FROM unnest(string_to_array(btrim(NEW."name_text"), ' ')) word
      WHERE word ~ '^[^0-9]{3,40}$'
      ORDER BY word
      ON CONFLICT DO NOTHING;
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER "products_search_text"
  BEFORE INSERT OR UPDATE OF "name", "description", "farmer_id", "category_id" ON "products"
  FOR EACH ROW EXECUTE FUNCTION products_set_search_text();

CREATE OR REPLACE TRIGGER "products_search_sizes" BEFORE UPDATE OF "sizes" ON "products"
  FOR EACH ROW WHEN (OLD."sizes" IS DISTINCT FROM NEW."sizes")
  EXECUTE FUNCTION products_set_search_text();

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

-- A farm that moves takes its products along. Those of a deleted account are deleted too.
CREATE OR REPLACE FUNCTION farmers_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM "products" WHERE "farmer_id" = NEW."id" ORDER BY "id" FOR NO KEY UPDATE;
  UPDATE "products" SET "name" = "name" WHERE "farmer_id" = NEW."id";
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER "farmers_moved"
  AFTER UPDATE OF "city", "state", "zip_code" ON "users"
  FOR EACH ROW
  WHEN (NEW."role" = 'farmer' AND NEW."deleted_at" IS NULL AND (OLD."city", OLD."state", OLD."zip_code")
    IS DISTINCT FROM (NEW."city", NEW."state", NEW."zip_code"))
  EXECUTE FUNCTION farmers_moved();

-- A kind is found by any of its names.
CREATE OR REPLACE FUNCTION categories_renamed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM "products" WHERE "category_id" = NEW."id" ORDER BY "id" FOR NO KEY UPDATE;
  UPDATE "products" SET "name" = "name" WHERE "category_id" = NEW."id";
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER "categories_renamed"
  AFTER UPDATE OF "name", "names" ON "categories"
  FOR EACH ROW WHEN ((OLD."name", OLD."names") IS DISTINCT FROM (NEW."name", NEW."names"))
  EXECUTE FUNCTION categories_renamed();
