-- Names this history of events. Whoever puts back an older state of the database gives it a new name, so
-- that clients do not continue from numbers that the log has given to other events.
CREATE TABLE "event_epoch" (
    "id" SMALLINT NOT NULL DEFAULT 1,
    "epoch" UUID NOT NULL DEFAULT gen_random_uuid(),

    CONSTRAINT "event_epoch_pkey" PRIMARY KEY ("id")
);
INSERT INTO "event_epoch" ("id") VALUES (1);
