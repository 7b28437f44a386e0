-- History: what the chain does not keep.
--
-- A series has one row per subject, step (seconds: 60, 3600, 86400) and bucket. A column that ends in _sum is the sum
-- over the bucket's samples: its mean is made where it is published, so no rounding is ever added up. Any other column
-- is the bucket's last value. Null means "could not be read" or "no price was known"; the _count beside such a sum is
-- how many samples knew it.

-- Addresses, once each.
CREATE TABLE "subject" (
    "id" SERIAL NOT NULL,
    "address" TEXT NOT NULL,
    CONSTRAINT "subject_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "subject_address_key" ON "subject"("address");

-- Who may write: one row. A recorder takes the next fence when it becomes leader and shows it in every write.
CREATE TABLE "recorder_lease" (
    "id" INTEGER NOT NULL,
    "fence" BIGINT NOT NULL,
    "holder" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "recorder_lease_pkey" PRIMARY KEY ("id")
);

-- One row per snapshot that was written: the ground for gaps, lag and doing nothing twice.
CREATE TABLE "snapshot" (
    "bucket" TIMESTAMPTZ(3) NOT NULL,
    "slot" BIGINT NOT NULL,
    "sampled_at" TIMESTAMPTZ(3) NOT NULL,
    "fence" BIGINT NOT NULL,
    CONSTRAINT "snapshot_pkey" PRIMARY KEY ("bucket")
);

CREATE TABLE "vault_point" (
    "vault_id" INTEGER NOT NULL,
    "step" INTEGER NOT NULL,
    "bucket" TIMESTAMPTZ(3) NOT NULL,
    "samples" INTEGER NOT NULL,
    "slot" BIGINT NOT NULL,
    "sampled_at" TIMESTAMPTZ(3) NOT NULL,
    "tvl_tokens" DECIMAL,
    "tvl_usd" DECIMAL,
    "tvl_sol" DECIMAL,
    "tokens_per_share" DECIMAL,
    "token_price_usd" DECIMAL,
    "share_price_usd" DECIMAL,
    "shares_issued" DECIMAL,
    "apy_actual_sum" DECIMAL NOT NULL,
    "apy_theoretical_sum" DECIMAL,
    "apy_theoretical_count" INTEGER NOT NULL,
    "apy_farm_rewards_sum" DECIMAL NOT NULL,
    "apy_incentives_sum" DECIMAL NOT NULL,
    "apy_reserves_incentives_sum" DECIMAL NOT NULL,
    "interest" DECIMAL NOT NULL,
    "interest_usd" DECIMAL,
    "interest_sol" DECIMAL,
    "interest_per_second" DECIMAL,
    "holders" INTEGER,
    "allocation_reserve_ids" INTEGER[],
    "allocation_ratios" DECIMAL[],
    "reward_mint_ids" INTEGER[],
    "reward_apys" DECIMAL[],
    CONSTRAINT "vault_point_pkey" PRIMARY KEY ("vault_id", "step", "bucket")
);
CREATE INDEX "vault_point_bucket_idx" ON "vault_point" USING BRIN ("bucket");

-- What changes rarely about a reserve; a point names the one in force.
CREATE TABLE "reserve_config" (
    "id" SERIAL NOT NULL,
    "reserve_id" INTEGER NOT NULL,
    "digest" TEXT NOT NULL,
    "config" JSONB NOT NULL,
    CONSTRAINT "reserve_config_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "reserve_config_reserve_id_digest_key" ON "reserve_config"("reserve_id", "digest");

CREATE TABLE "reserve_point" (
    "reserve_id" INTEGER NOT NULL,
    "step" INTEGER NOT NULL,
    "bucket" TIMESTAMPTZ(3) NOT NULL,
    "samples" INTEGER NOT NULL,
    "slot" BIGINT NOT NULL,
    "sampled_at" TIMESTAMPTZ(3) NOT NULL,
    "config_id" INTEGER NOT NULL,
    "borrow_apy_sum" DECIMAL NOT NULL,
    "supply_apy_sum" DECIMAL NOT NULL,
    "total_supply_sum" DECIMAL NOT NULL,
    "total_borrows_sum" DECIMAL NOT NULL,
    "total_liquidity_sum" DECIMAL NOT NULL,
    "price_usd_sum" DECIMAL,
    "price_usd_count" INTEGER NOT NULL,
    "price_usd" DECIMAL,
    "exchange_rate" DECIMAL NOT NULL,
    "cumulative_borrow_rate" DECIMAL,
    "mint_total_supply" DECIMAL NOT NULL,
    "accumulated_protocol_fees" DECIMAL NOT NULL,
    "borrow_outside_group" DECIMAL NOT NULL,
    "borrowed_in_groups" DECIMAL[],
    "borrow_limit_crossed_at" BIGINT NOT NULL,
    "deposit_limit_crossed_at" BIGINT NOT NULL,
    "reward_mint_ids" INTEGER[],
    "reward_apys" DECIMAL[],
    CONSTRAINT "reserve_point_pkey" PRIMARY KEY ("reserve_id", "step", "bucket")
);
CREATE INDEX "reserve_point_bucket_idx" ON "reserve_point" USING BRIN ("bucket");

CREATE TABLE "market_point" (
    "market_id" INTEGER NOT NULL,
    "step" INTEGER NOT NULL,
    "bucket" TIMESTAMPTZ(3) NOT NULL,
    "samples" INTEGER NOT NULL,
    "slot" BIGINT NOT NULL,
    "sampled_at" TIMESTAMPTZ(3) NOT NULL,
    "deposit_usd" DECIMAL,
    "borrow_usd" DECIMAL,
    "obligations" INTEGER,
    CONSTRAINT "market_point_pkey" PRIMARY KEY ("market_id", "step", "bucket")
);
CREATE INDEX "market_point_bucket_idx" ON "market_point" USING BRIN ("bucket");

CREATE TABLE "price_point" (
    "mint_id" INTEGER NOT NULL,
    "step" INTEGER NOT NULL,
    "bucket" TIMESTAMPTZ(3) NOT NULL,
    "samples" INTEGER NOT NULL,
    "slot" BIGINT NOT NULL,
    "sampled_at" TIMESTAMPTZ(3) NOT NULL,
    "price_usd" DECIMAL,
    "stake_rate_sol" DECIMAL,
    CONSTRAINT "price_point_pkey" PRIMARY KEY ("mint_id", "step", "bucket")
);
CREATE INDEX "price_point_bucket_idx" ON "price_point" USING BRIN ("bucket");

-- A campaign on a reserve, or on a pair of them; 0 stands for the side that it does not have.
CREATE TABLE "reward_point" (
    "deposit_reserve_id" INTEGER NOT NULL,
    "borrow_reserve_id" INTEGER NOT NULL,
    "reward_mint_id" INTEGER NOT NULL,
    "source" TEXT NOT NULL,
    "step" INTEGER NOT NULL,
    "bucket" TIMESTAMPTZ(3) NOT NULL,
    "samples" INTEGER NOT NULL,
    "slot" BIGINT NOT NULL,
    "sampled_at" TIMESTAMPTZ(3) NOT NULL,
    "market_id" INTEGER NOT NULL,
    "apy_sum" DECIMAL,
    "apy_count" INTEGER NOT NULL,
    "tokens_per_second" DECIMAL NOT NULL,
    "active_positions_usd" DECIMAL,
    CONSTRAINT "reward_point_pkey" PRIMARY KEY ("deposit_reserve_id", "borrow_reserve_id", "step", "bucket", "reward_mint_id", "source")
);
CREATE INDEX "reward_point_bucket_idx" ON "reward_point" USING BRIN ("bucket");

-- The hourly scan of all obligations: positions of two reserves, and an index for lists over a whole market.
CREATE TABLE "leverage_point" (
    "market_id" INTEGER NOT NULL,
    "deposit_reserve_id" INTEGER NOT NULL,
    "borrow_reserve_id" INTEGER NOT NULL,
    "tag" INTEGER NOT NULL,
    "bucket" TIMESTAMPTZ(3) NOT NULL,
    "sampled_at" TIMESTAMPTZ(3) NOT NULL,
    "obligations" INTEGER NOT NULL,
    "avg_leverage" DECIMAL NOT NULL,
    "deposited" DECIMAL NOT NULL,
    "borrowed" DECIMAL NOT NULL,
    "deposited_usd" DECIMAL,
    "borrowed_usd" DECIMAL,
    CONSTRAINT "leverage_point_pkey" PRIMARY KEY ("market_id", "bucket", "deposit_reserve_id", "borrow_reserve_id", "tag")
);

CREATE TABLE "obligation_entry" (
    "market_id" INTEGER NOT NULL,
    "obligation" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "tag" INTEGER NOT NULL,
    "deposit_reserve_ids" INTEGER[],
    "borrow_reserve_ids" INTEGER[],
    "deposit_usd" DECIMAL,
    "borrow_usd" DECIMAL,
    "health_factor" DECIMAL,
    "made_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "obligation_entry_pkey" PRIMARY KEY ("market_id", "obligation")
);
CREATE INDEX "obligation_entry_market_id_health_factor_idx" ON "obligation_entry"("market_id", "health_factor");
