-- One row a store: when it last failed its market, and until when. All processes see an outage; the first to write it
-- here has the admins notified.
CREATE TABLE "outages" (
  "store" TEXT PRIMARY KEY,
  "since" TIMESTAMPTZ(3) NOT NULL,
  "until" TIMESTAMPTZ(3)
);
