-- Fees since the vault was created, in whole tokens. Null in points that were recorded before, and in imported ones.
ALTER TABLE "vault_point" ADD COLUMN "performance_fees" DECIMAL, ADD COLUMN "management_fees" DECIMAL;

-- Changes of the target allocation of vaults. `reserve_id` is null for what stays in the vault. Weights and caps are as the
-- program stores them; null where the instruction does not set them.
CREATE TABLE "allocation_event" (
    "signature" TEXT NOT NULL,
    "event_index" INTEGER NOT NULL,
    "slot" BIGINT NOT NULL,
    "place" INTEGER,
    "block_time" TIMESTAMPTZ(3) NOT NULL,
    "kind" TEXT NOT NULL,
    "vault_id" INTEGER NOT NULL,
    "signer_id" INTEGER NOT NULL,
    "reserve_id" INTEGER,
    "weight" DECIMAL,
    "cap" DECIMAL,
    "collateral_cap" DECIMAL,
    "tail_of" INTEGER,
    CONSTRAINT "allocation_event_pkey" PRIMARY KEY ("vault_id", "signature", "event_index")
);
CREATE INDEX "allocation_event_signature_idx" ON "allocation_event"("signature");
CREATE INDEX "allocation_event_vault_id_slot_idx" ON "allocation_event"("vault_id", "slot");
CREATE INDEX "allocation_event_slot_idx" ON "allocation_event"("slot");
CREATE INDEX "allocation_event_tail_of_idx" ON "allocation_event"("tail_of");

-- Transactions that were read before may have changed allocations. Every address is read again when it is next requested;
-- stored events are kept.
DELETE FROM "ingest_cursor";
