-- The loans of a market in each hour, from its scan: totals in USD, the largest LTV, and the number of loans in each state.
-- Loans with an unknown price are counted as unvalued and nowhere else.
CREATE TABLE "loan_point" (
    "market_id" INTEGER NOT NULL,
    "bucket" TIMESTAMPTZ(3) NOT NULL,
    "sampled_at" TIMESTAMPTZ(3) NOT NULL,
    "loans" INTEGER NOT NULL,
    "unvalued" INTEGER NOT NULL,
    "deposited_usd" DECIMAL NOT NULL,
    "borrowed_usd" DECIMAL NOT NULL,
    "factored_usd" DECIMAL NOT NULL,
    "max_ltv" DECIMAL NOT NULL,
    "healthy" INTEGER NOT NULL,
    "at_risk" INTEGER NOT NULL,
    "liquidatable" INTEGER NOT NULL,
    CONSTRAINT "loan_point_pkey" PRIMARY KEY ("market_id", "bucket")
);
