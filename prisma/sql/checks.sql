-- The last line of defence: rows that no code path may write. The rules with messages for people are checked
-- before, in TypeScript, with a sentence.

ALTER TABLE "users"
  DROP CONSTRAINT IF EXISTS "users_email_normal",
  DROP CONSTRAINT IF EXISTS "users_name_present",
  ADD CONSTRAINT "users_email_normal" CHECK ("email" = lower(btrim("email")) AND "email" <> ''),
  ADD CONSTRAINT "users_name_present" CHECK (btrim("name") <> '');

ALTER TABLE "farmer_profiles"
  DROP CONSTRAINT IF EXISTS "farmer_profiles_radius",
  DROP CONSTRAINT IF EXISTS "farmer_profiles_year",
  DROP CONSTRAINT IF EXISTS "farmer_profiles_cutoff",
  DROP CONSTRAINT IF EXISTS "farmer_profiles_approval",
  DROP CONSTRAINT IF EXISTS "farmer_profiles_bookable_days",
  DROP CONSTRAINT IF EXISTS "farmer_profiles_position",
  DROP CONSTRAINT IF EXISTS "farmer_profiles_pause",
  ADD CONSTRAINT "farmer_profiles_radius" CHECK ("delivery_radius" >= 0),
  ADD CONSTRAINT "farmer_profiles_year" CHECK ("established_year" BETWEEN 1900 AND 2200),
  ADD CONSTRAINT "farmer_profiles_approval" CHECK (
    num_nonnulls("approved_at", "asked_at", "sent_back_reason") <= 1),
  ADD CONSTRAINT "farmer_profiles_bookable_days" CHECK ("bookable_days" BETWEEN 1 AND 366),
  ADD CONSTRAINT "farmer_profiles_position" CHECK (
    num_nulls("latitude", "longitude") <> 1
    AND "latitude" BETWEEN -90 AND 90 AND "longitude" BETWEEN -180 AND 180),
  ADD CONSTRAINT "farmer_profiles_pause" CHECK (
    ("paused_until" IS NOT NULL OR "pause_note" IS NULL) AND "paused_until" > "paused_at"),
  ADD CONSTRAINT "farmer_profiles_cutoff" CHECK (
    ("cutoff_days_before" IS NULL) = ("cutoff_time" IS NULL) AND "cutoff_days_before" >= 0
    AND "cutoff_time" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$');

ALTER TABLE "places"
  DROP CONSTRAINT IF EXISTS "places_position",
  ADD CONSTRAINT "places_position" CHECK (
    num_nulls("latitude", "longitude") <> 1
    AND "latitude" BETWEEN -90 AND 90 AND "longitude" BETWEEN -180 AND 180);

ALTER TABLE "products"
  DROP CONSTRAINT IF EXISTS "products_price_positive",
  DROP CONSTRAINT IF EXISTS "products_stock_not_negative",
  DROP CONSTRAINT IF EXISTS "products_images_max",
  DROP CONSTRAINT IF EXISTS "products_dates_in_order",
  DROP CONSTRAINT IF EXISTS "products_hidden_inactive",
  DROP CONSTRAINT IF EXISTS "products_suspended_inactive",
  DROP CONSTRAINT IF EXISTS "products_step_range",
  DROP CONSTRAINT IF EXISTS "products_minimum_of_steps",
  DROP CONSTRAINT IF EXISTS "products_smallest_order_costs",
  DROP CONSTRAINT IF EXISTS "products_piece_weight",
  DROP CONSTRAINT IF EXISTS "products_sizes",
  DROP CONSTRAINT IF EXISTS "products_always",
  ADD CONSTRAINT "products_price_positive" CHECK ("price_minor" > 0),
  ADD CONSTRAINT "products_stock_not_negative" CHECK ("stock_milli" >= 0),
  ADD CONSTRAINT "products_images_max" CHECK (cardinality("images") <= 5),
  ADD CONSTRAINT "products_dates_in_order" CHECK ("available_until" >= "harvest_date"),
  ADD CONSTRAINT "products_hidden_inactive" CHECK ("hidden_reason" IS NULL OR NOT "is_active"),
  ADD CONSTRAINT "products_suspended_inactive" CHECK (NOT ("is_farm_suspended" AND "is_active")),
  ADD CONSTRAINT "products_step_range" CHECK ("step_milli" BETWEEN 1 AND 1000000),
  ADD CONSTRAINT "products_minimum_of_steps" CHECK (
    "minimum_milli" > 0 AND "minimum_milli" % COALESCE("step_milli", 1000) = 0),
  -- Half a minor unit is rounded up to one.
  ADD CONSTRAINT "products_smallest_order_costs" CHECK (
    "sizes" <> '[]' OR "price_minor"::numeric * COALESCE("minimum_milli", "step_milli", 1000)
      * COALESCE("piece_milli", 1000) >= 500000),
  -- What is sold by the piece and priced by weight.
  ADD CONSTRAINT "products_piece_weight" CHECK (
    CASE WHEN "piece_milli" IS NULL THEN "piece_min_milli" IS NULL AND "piece_max_milli" IS NULL
    ELSE "unit" IN ('kg', 'g', 'lb', 'oz') AND "step_milli" IS NULL AND "piece_milli" > 0
      AND COALESCE("piece_min_milli", "piece_milli") BETWEEN 1 AND "piece_milli"
      AND COALESCE("piece_max_milli", "piece_milli") >= "piece_milli" END),
  ADD CONSTRAINT "products_sizes" CHECK (
    "sizes" = '[]' OR (jsonb_array_length("sizes") <= 20 AND "step_milli" IS NOT DISTINCT FROM 1
      AND "minimum_milli" IS NOT NULL AND "piece_milli" IS NULL)),
  -- What nobody counts has the largest stock, whatever is sold.
  ADD CONSTRAINT "products_always" CHECK (
    CASE WHEN "is_always" THEN "stock_milli" = 1000000000 AND "aside_milli" IS NULL
      ELSE "max_order_milli" IS NULL END);

ALTER TABLE "orders"
  DROP CONSTRAINT IF EXISTS "orders_total_positive",
  DROP CONSTRAINT IF EXISTS "orders_time_of_day",
  DROP CONSTRAINT IF EXISTS "orders_two_parties",
  ADD CONSTRAINT "orders_total_positive" CHECK ("total_minor" > 0),
  ADD CONSTRAINT "orders_time_of_day" CHECK ("time" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  ADD CONSTRAINT "orders_two_parties" CHECK ("consumer_id" <> "farmer_id");

ALTER TABLE "order_lines"
  DROP CONSTRAINT IF EXISTS "order_lines_price_positive",
  DROP CONSTRAINT IF EXISTS "order_lines_quantity_positive",
  DROP CONSTRAINT IF EXISTS "order_lines_quantity_not_negative",
  DROP CONSTRAINT IF EXISTS "order_lines_ordered_not_negative",
  DROP CONSTRAINT IF EXISTS "order_lines_weighed_whole",
  DROP CONSTRAINT IF EXISTS "order_lines_size_whole",
  ADD CONSTRAINT "order_lines_size_whole" CHECK (
    num_nulls("size_id", "size_label", "content_milli") IN (0, 3)
    AND ("size_id" IS NULL OR ("piece_milli" IS NULL AND "content_milli" > 0))),
  ADD CONSTRAINT "order_lines_price_positive" CHECK ("price_minor" > 0),
  -- A line that was removed has none left.
  ADD CONSTRAINT "order_lines_quantity_not_negative" CHECK ("quantity_milli" >= 0),
  ADD CONSTRAINT "order_lines_ordered_not_negative" CHECK ("ordered_milli" >= 0),
  ADD CONSTRAINT "order_lines_weighed_whole" CHECK (
    ("packed_milli" IS NULL OR "packed_milli" > 0) AND ("final_minor" IS NULL OR "final_minor" > 0));

ALTER TABLE "order_timeline"
  DROP CONSTRAINT IF EXISTS "order_timeline_status_of_kind",
  ADD CONSTRAINT "order_timeline_status_of_kind" CHECK (("kind" = 'status') = ("status" IS NOT NULL));

ALTER TABLE "messages"
  DROP CONSTRAINT IF EXISTS "messages_content_present",
  DROP CONSTRAINT IF EXISTS "messages_two_people",
  ADD CONSTRAINT "messages_content_present" CHECK (btrim("content") <> ''),
  ADD CONSTRAINT "messages_two_people" CHECK ("sender_id" <> "receiver_id");

ALTER TABLE "conversations"
  DROP CONSTRAINT IF EXISTS "conversations_unread_not_negative",
  ADD CONSTRAINT "conversations_unread_not_negative" CHECK ("unread_count" >= 0);

ALTER TABLE "market_settings"
  DROP CONSTRAINT IF EXISTS "market_settings_single",
  ADD CONSTRAINT "market_settings_single" CHECK ("id" = 1);

ALTER TABLE "event_log_head"
  DROP CONSTRAINT IF EXISTS "event_log_head_single",
  ADD CONSTRAINT "event_log_head_single" CHECK ("id" = 1);

ALTER TABLE "event_epoch"
  DROP CONSTRAINT IF EXISTS "event_epoch_single",
  ADD CONSTRAINT "event_epoch_single" CHECK ("id" = 1);

ALTER TABLE "place_hours"
  DROP CONSTRAINT IF EXISTS "place_hours_within_a_day",
  ADD CONSTRAINT "place_hours_within_a_day" CHECK ("weekday" BETWEEN 0 AND 6 AND "from_time" < "to_time"
    AND "slot_minutes" > 0 AND "capacity" BETWEEN 1 AND 10000);

ALTER TABLE "slots"
  DROP CONSTRAINT IF EXISTS "slots_times_in_order",
  DROP CONSTRAINT IF EXISTS "slots_taken_not_negative",
  DROP CONSTRAINT IF EXISTS "slots_capacity",
  ADD CONSTRAINT "slots_times_in_order" CHECK ("from_time" < "to_time" AND "starts_at" <= "ends_at"),
  ADD CONSTRAINT "slots_taken_not_negative" CHECK ("taken" >= 0),
  ADD CONSTRAINT "slots_capacity" CHECK ("capacity" BETWEEN 1 AND 10000);

ALTER TABLE "follows"
  DROP CONSTRAINT IF EXISTS "follows_one_subject",
  ADD CONSTRAINT "follows_one_subject" CHECK (num_nonnulls("product_id", "farm_id") = 1);
