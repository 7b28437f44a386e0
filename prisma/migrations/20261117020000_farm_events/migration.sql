-- Transactions of farms. `amount` is in base units; it is null for an unstake of everything, which names no amount.
-- `mint_id` is null where the instruction names no token; it is then the one that the farm stakes.
CREATE TABLE "farm_event" (
    "signature" TEXT NOT NULL,
    "event_index" INTEGER NOT NULL,
    "slot" BIGINT NOT NULL,
    "place" INTEGER,
    "block_time" TIMESTAMPTZ(3) NOT NULL,
    "kind" TEXT NOT NULL,
    "farm_id" INTEGER NOT NULL,
    "wallet_id" INTEGER NOT NULL,
    "mint_id" INTEGER,
    "amount" DECIMAL,
    "tail_of" INTEGER,
    CONSTRAINT "farm_event_pkey" PRIMARY KEY ("farm_id", "signature", "event_index")
);
CREATE INDEX "farm_event_signature_idx" ON "farm_event"("signature");
CREATE INDEX "farm_event_farm_id_slot_idx" ON "farm_event"("farm_id", "slot");
CREATE INDEX "farm_event_wallet_id_slot_idx" ON "farm_event"("wallet_id", "slot");
CREATE INDEX "farm_event_slot_idx" ON "farm_event"("slot");
CREATE INDEX "farm_event_tail_of_idx" ON "farm_event"("tail_of");

-- Transactions that were read before have events of farms too. Every address is read again when it is next requested;
-- stored events are kept.
DELETE FROM "ingest_cursor";
