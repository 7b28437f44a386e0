-- One row. Every change of an alert by its owner locks it and counts it: the limits are exact, and the leader sees that there
-- is something to read again.
CREATE TABLE "alert_registry" (
    "id" INTEGER NOT NULL,
    "version" BIGINT NOT NULL,
    CONSTRAINT "alert_registry_pkey" PRIMARY KEY ("id")
);
INSERT INTO "alert_registry" ("id", "version") VALUES (1, 0);

-- Alerts of the owners of API keys: the condition, the receiver, and the state that the receiver was last told.
CREATE TABLE "alert" (
    "id" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "metric" TEXT NOT NULL,
    "subject" TEXT,
    "direction" TEXT NOT NULL,
    "threshold" TEXT NOT NULL,
    "clear_at" TEXT NOT NULL,
    "min_interval_s" INTEGER NOT NULL,
    "paused" BOOLEAN NOT NULL,
    "revision" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "state" TEXT NOT NULL,
    "unknown_since" TIMESTAMPTZ(3),
    "value" TEXT,
    "slot" BIGINT,
    "crossed_at" TIMESTAMPTZ(3),
    "sequence" INTEGER NOT NULL,
    "mark" TEXT,
    "marked_at" TIMESTAMPTZ(3),
    CONSTRAINT "alert_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "alert_key_id_idx" ON "alert"("key_id");

-- Messages of alerts, delivered in the order of their sequence.
CREATE TABLE "alert_delivery" (
    "alert_id" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL,
    "id" TEXT NOT NULL,
    "event" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "next_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "last_error" TEXT,
    CONSTRAINT "alert_delivery_pkey" PRIMARY KEY ("alert_id", "sequence")
);
CREATE INDEX "alert_delivery_id_idx" ON "alert_delivery"("id");
CREATE INDEX "alert_delivery_status_next_at_idx" ON "alert_delivery"("status", "next_at");
