-- What is known of backups, and of the processes that run the market.
CREATE TABLE "backups" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "name" TEXT NOT NULL,
    "folder" TEXT NOT NULL,
    "made_by" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3) NOT NULL,
    "size_bytes" BIGINT NOT NULL,
    "row_count" BIGINT NOT NULL,
    "picture_count" INTEGER,
    "is_verified" BOOLEAN NOT NULL,

    CONSTRAINT "backups_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "backups_finished_at_idx" ON "backups"("finished_at" DESC);

CREATE TABLE "processes" (
    "id" UUID NOT NULL,
    "service" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "pid" INTEGER NOT NULL,
    "version" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "figures" JSONB NOT NULL,

    CONSTRAINT "processes_pkey" PRIMARY KEY ("id")
);
