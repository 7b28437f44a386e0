-- What the loans of a market owe against each collateral, from its latest scan. The row without reserves stands for the scan.
CREATE TABLE "collateral_use" (
    "market_id" INTEGER NOT NULL,
    "deposit_reserve_id" INTEGER NOT NULL,
    "borrow_reserve_id" INTEGER NOT NULL,
    "collateral_usd" DECIMAL,
    "debt_usd" DECIMAL,
    "sampled_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "collateral_use_pkey" PRIMARY KEY ("market_id", "deposit_reserve_id", "borrow_reserve_id")
);
