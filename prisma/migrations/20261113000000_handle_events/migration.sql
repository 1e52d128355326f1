-- Handling events once ---------------------------------------------------------------------------
-- Carries out what the events up to `p_last` call for and moves the follower's cursor there, in one
-- statement. Each effect brings its event's number as `seq`: what the cursor has passed was carried out
-- by somebody else. Answers where the cursor stood, and the rows of the ledger that need a job.
CREATE FUNCTION handle_events(p_follower text, p_last bigint, p_effects jsonb) RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  passed bigint;
  planned json;
BEGIN
  SELECT "seq" INTO passed FROM "followers" WHERE "name" = p_follower FOR UPDATE;
  IF passed < p_last THEN
    SELECT json_agg(c) INTO planned FROM carry_out((
      SELECT jsonb_agg(effect ORDER BY place)
      FROM jsonb_array_elements(p_effects) WITH ORDINALITY AS effects (effect, place)
      WHERE (effect ->> 'seq')::bigint > passed)) c;
    UPDATE "followers" SET "seq" = p_last, "updated_at" = now() WHERE "name" = p_follower;
  END IF;
  RETURN json_build_object('passed', passed, 'planned', COALESCE(planned, '[]'));
END $$;
