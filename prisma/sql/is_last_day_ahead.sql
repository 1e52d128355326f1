-- Whether a farm's product can still be had on its last day: it is today or later where the farm is.
--
-- No clock is a day ahead of UTC's tomorrow, so most products are answered without their farm. The cost says
-- so: by default the planner would think that every product asks for its farm, and read the list by a plan
-- that pays off only then.
CREATE OR REPLACE FUNCTION is_last_day_ahead(farmer uuid, last_day date) RETURNS boolean
LANGUAGE plpgsql STABLE PARALLEL SAFE COST 1 AS $$
BEGIN
  RETURN last_day IS NULL OR last_day > day_in('UTC') OR last_day >= day_in(COALESCE(
    (SELECT farm."time_zone" FROM "farmer_profiles" farm WHERE farm."user_id" = farmer), 'UTC'));
END $$;
