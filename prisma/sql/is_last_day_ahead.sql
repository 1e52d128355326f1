-- Whether the last day of a farm's product is today or later where the farm is.
--
-- It asks for the farm. So lists call it only for a product whose last day is about now: no clock is more than
-- a day apart from UTC's. The cost says so: by default the planner would think that every product asks for its
-- farm, and read the list by a plan that pays off only then.
CREATE OR REPLACE FUNCTION is_last_day_ahead(farmer uuid, last_day date) RETURNS boolean
LANGUAGE plpgsql STABLE PARALLEL SAFE COST 1 AS $$
BEGIN
  RETURN last_day >= day_in(COALESCE(
    (SELECT farm."time_zone" FROM "farmer_profiles" farm WHERE farm."user_id" = farmer), 'UTC'));
END $$;
