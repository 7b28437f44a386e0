-- Instructions on tickets of withdraw queues. Amounts are in base units; `liquidity` is null unless the instruction pays.
-- `obligation_id` and `vault_id` name where the collateral tokens of the ticket came from, null for none.
CREATE TABLE "queue_event" (
    "signature" TEXT NOT NULL,
    "event_index" INTEGER NOT NULL,
    "slot" BIGINT NOT NULL,
    "place" INTEGER,
    "block_time" TIMESTAMPTZ(3) NOT NULL,
    "kind" TEXT NOT NULL,
    "ticket_id" INTEGER NOT NULL,
    "reserve_id" INTEGER NOT NULL,
    "market_id" INTEGER NOT NULL,
    "wallet_id" INTEGER NOT NULL,
    "signer_id" INTEGER NOT NULL,
    "collateral" DECIMAL NOT NULL,
    "liquidity" DECIMAL,
    "obligation_id" INTEGER,
    "vault_id" INTEGER,
    "tail_of" INTEGER,
    CONSTRAINT "queue_event_pkey" PRIMARY KEY ("ticket_id", "signature", "event_index")
);
CREATE INDEX "queue_event_signature_idx" ON "queue_event"("signature");
CREATE INDEX "queue_event_wallet_id_slot_idx" ON "queue_event"("wallet_id", "slot");
CREATE INDEX "queue_event_reserve_id_slot_idx" ON "queue_event"("reserve_id", "slot");
CREATE INDEX "queue_event_market_id_slot_idx" ON "queue_event"("market_id", "slot");
CREATE INDEX "queue_event_vault_id_slot_idx" ON "queue_event"("vault_id", "slot");
CREATE INDEX "queue_event_slot_idx" ON "queue_event"("slot");
CREATE INDEX "queue_event_tail_of_idx" ON "queue_event"("tail_of");

-- Transactions that were read before have events of withdraw queues too. Every address is read again when it is next
-- requested; stored events are kept.
DELETE FROM "ingest_cursor";
