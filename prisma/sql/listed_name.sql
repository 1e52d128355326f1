-- Keeps `farmer_profiles.listed_name`: the farm's name, or, without one, its farmer's.
CREATE OR REPLACE FUNCTION farms_set_listed_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."listed_name" := COALESCE(NULLIF(NEW."farm_name", ''), (SELECT "name" FROM "users" WHERE "id" = NEW."user_id"), '');
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER "farms_listed_name"
  BEFORE INSERT OR UPDATE OF "farm_name", "listed_name" ON "farmer_profiles"
  FOR EACH ROW EXECUTE FUNCTION farms_set_listed_name();

CREATE OR REPLACE FUNCTION farmers_renamed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "farmer_profiles" SET "listed_name" = NEW."name" WHERE "user_id" = NEW."id" AND "farm_name" = '';
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER "farmers_renamed"
  AFTER UPDATE OF "name" ON "users"
  FOR EACH ROW WHEN (NEW."role" = 'farmer' AND OLD."name" IS DISTINCT FROM NEW."name")
  EXECUTE FUNCTION farmers_renamed();
