-- Refuses an address that another account gave up so lately that the change may still be undone, as the unique index
-- refuses one that another account has. A change is written before its old address is free, so none is missed.
CREATE OR REPLACE FUNCTION refuse_kept_email() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM email_changes
    WHERE old_email = NEW.email AND user_id <> NEW.id AND undone_at IS NULL AND undo_until > now()
  ) THEN
    RAISE unique_violation USING MESSAGE = 'The address may still go back to the account that had it';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER "users_email_kept" BEFORE INSERT OR UPDATE OF "email" ON "users"
  FOR EACH ROW EXECUTE FUNCTION refuse_kept_email();
