-- Counts people by role in the transaction that changes them. A deleted person does not count, nor does a farm that
-- its founder has left.
CREATE OR REPLACE FUNCTION count_user(p_role "Role", p_change int) RETURNS void LANGUAGE sql AS $$
  INSERT INTO "user_totals" AS t VALUES (p_role, totals_slot(), p_change)
    ON CONFLICT ("role", "slot") DO UPDATE SET "users" = t."users" + EXCLUDED."users"
$$;

CREATE OR REPLACE FUNCTION users_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD."deleted_at" IS NULL AND NOT OLD."is_farm" THEN
    PERFORM count_user(OLD."role", -1);
  END IF;
  IF TG_OP <> 'DELETE' AND NEW."deleted_at" IS NULL AND NOT NEW."is_farm" THEN
    PERFORM count_user(NEW."role", 1);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER "users_count_came" AFTER INSERT OR DELETE ON "users"
  FOR EACH ROW EXECUTE FUNCTION users_count();

CREATE OR REPLACE TRIGGER "users_count_changed" AFTER UPDATE OF "role", "deleted_at", "is_farm" ON "users"
  FOR EACH ROW
  WHEN ((OLD."role", OLD."deleted_at" IS NULL, OLD."is_farm")
    IS DISTINCT FROM (NEW."role", NEW."deleted_at" IS NULL, NEW."is_farm"))
  EXECUTE FUNCTION users_count();
