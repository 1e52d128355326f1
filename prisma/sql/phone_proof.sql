-- A number that changes is proven no more: processes of the release before, which know of no proof, change it alone. To
-- be removed with the next release.
CREATE OR REPLACE FUNCTION end_phone_proof() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.phone_verified_at := NULL;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER "users_phone_changed" BEFORE UPDATE OF "phone" ON "users"
  FOR EACH ROW WHEN (
    NEW."phone" <> OLD."phone" AND NEW."phone_verified_at" IS NOT DISTINCT FROM OLD."phone_verified_at")
  EXECUTE FUNCTION end_phone_proof();
