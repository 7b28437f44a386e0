-- Keeps the schema and its locks inside what distributed PostgreSQL runs (decision 22).

-- Until when the leading recorder leads: one row. It is apart from recorder_lease, whose row every write locks: a renewal
-- neither waits for writes nor blocks them.
CREATE TABLE "recorder_heartbeat" (
    "id" INTEGER NOT NULL,
    "fence" BIGINT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "recorder_heartbeat_pkey" PRIMARY KEY ("id")
);

-- Locked by every page of transactions that is written: one row. It counts the pages.
CREATE TABLE "ingest_lock" (
    "id" INTEGER NOT NULL,
    "pages" BIGINT NOT NULL,
    CONSTRAINT "ingest_lock_pkey" PRIMARY KEY ("id")
);

-- Events are keyed by the vault or obligation that they belong to, so that these can be distributed.
ALTER TABLE "vault_event" DROP CONSTRAINT "vault_event_pkey",
    ADD CONSTRAINT "vault_event_pkey" PRIMARY KEY ("vault_id", "signature", "event_index");
CREATE INDEX "vault_event_signature_idx" ON "vault_event"("signature");
ALTER TABLE "lending_event" DROP CONSTRAINT "lending_event_pkey",
    ADD CONSTRAINT "lending_event_pkey" PRIMARY KEY ("obligation_id", "signature", "event_index");
CREATE INDEX "lending_event_signature_idx" ON "lending_event"("signature");

-- No statement uses them: all find their rows by the series.
DROP INDEX "vault_point_bucket_idx";
DROP INDEX "reserve_point_bucket_idx";
DROP INDEX "market_point_bucket_idx";
DROP INDEX "price_point_bucket_idx";
DROP INDEX "reward_point_bucket_idx";
