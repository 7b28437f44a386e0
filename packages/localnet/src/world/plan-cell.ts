import { ceilScaled } from '@sluice/protocol/numeric/fraction';
import { planBorrowOrder } from './borrow-orders.ts';
import { planObligation } from './borrowers.ts';
import { buildMarkets, buildVaults, buildWallets } from './build-cell.ts';
import { refreshObligation, refreshReserve } from './debts.ts';
import { planFirstDeposit, planVaultPosition } from './depositors.ts';
import { planClaims, planClosedObligations, planVaultExits } from './exits-and-returns.ts';
import { issueRewards } from './farm-engine.ts';
import { planKeeperRuns } from './keeper-runs.ts';
import { lendersFor, planLenders } from './lenders.ts';
import { planLiquidatedBorrowers } from './liquidated-borrowers.ts';
import type { Market, Vault, Wallet } from './model.ts';
import { planOwnershipTransfers } from './ownership-transfers.ts';
import { itemAt, Random } from './prng.ts';
import { netAumSf } from './program-maths.ts';
import { unitsOfUsd } from './reserves.ts';
import { planRunningTerm, termMarketOf } from './term-loans.ts';
import { GENESIS_SLOT, timeOf } from './time.ts';
import { isNative } from './token-accounts.ts';
import { holdingOf } from './wallets.ts';
import { planWithdrawQueue } from './withdraw-queue.ts';
import type { World } from './world.ts';
import type { WorldPlan } from './world-plan.ts';
import { planExampleWallet } from './world-wallet.ts';

const WALLETS_PER_CELL = 220;
const OBLIGATIONS_PER_CELL = 560;
/** The first keeper invests the vaults' tokens, the others liquidate. */
const KEEPERS_PER_CELL = 3;
const QUIET_LAMPORTS = 2_000_000_000n;

/**
 * Plans one cell: its markets, vaults and wallets, and their past actions. The first cell has the localnet
 * wallet.
 */
export function planCell(world: World, plan: WorldPlan, cell: number): void {
  const markets = buildMarkets(world, plan, cell);
  const vaults = buildVaults(world, plan, cell, markets);
  for (const { reserves } of markets) for (const reserve of reserves) planWithdrawQueue(world, plan, reserve);
  const lenders: Wallet[] = [];
  markets.forEach((market, i) => {
    const group = buildWallets(world, cell, `lender ${i}`, lendersFor(market.reserves.length));
    planLenders(world, plan, market, group);
    lenders.push(...group);
  });
  const wallets = buildWallets(world, cell, 'user', WALLETS_PER_CELL);
  if (cell === 0) planExampleWallet(world, plan, markets, vaults);
  const keepers = buildWallets(world, cell, 'keeper', KEEPERS_PER_CELL, { reserved: true });
  for (const vault of vaults) {
    const keeper = itemAt(keepers, 0);
    vault.keeper = keeper;
    // Investing names an account of the keeper, which pays for what rounding loses.
    holdingOf(world.store, keeper, vault.token.mint);
  }
  vaults.forEach((vault, i) => {
    planFirstDeposit(world, plan, vault, itemAt(lenders, i % lenders.length));
  });
  planObligations(world, plan, cell, markets, wallets);
  planVaultPositions(world, plan, cell, vaults, wallets);
  planVaultExits(world, plan, cell, vaults, wallets);
  planClosedObligations(world, plan, cell, markets, wallets);
  planLiquidatedBorrowers(world, plan, itemAt(markets, 0), wallets, keepers.slice(1));
  planKeeperRuns(world, plan, vaults);
  if (cell > 0) return;
  planOwnershipTransfers(world, plan, itemAt(markets, 0));
  planBorrowOrder(world, plan, itemAt(markets, 0));
  planRunningTerm(world, plan, termMarketOf(markets));
}

function planObligations(
  world: World,
  plan: WorldPlan,
  cell: number,
  markets: readonly Market[],
  wallets: readonly Wallet[],
): void {
  const random = new Random(world.seed, 'obligations', cell);
  for (let planned = 0; planned < OBLIGATIONS_PER_CELL; ) {
    if (planObligation(world, plan, random, random.pick(wallets), markets) !== null) planned += 1;
  }
}

function planVaultPositions(
  world: World,
  plan: WorldPlan,
  cell: number,
  vaults: readonly Vault[],
  wallets: readonly Wallet[],
): void {
  const usual = vaults.filter(({ spec }) => spec.size === 'usual');
  wallets.forEach((wallet, i) => {
    const random = new Random(world.seed, 'vault-positions', cell, i);
    const chosen = new Set<Vault>();
    for (let n = random.weighted([10, 25, 30, 25, 10]); n > 0; n -= 1) chosen.add(random.pick(usual));
    for (const vault of chosen) planVaultPosition(world, plan, random, vault, { wallet, others: wallets });
    const claims = new Random(world.seed, 'claims', cell, i);
    for (const vault of chosen) planClaims(world, plan, claims, vault, wallet);
  });
}

/** Sets the opening balances that cover what wallets spent, then brings everything to the present. */
export function settlePast(world: World, present: bigint): void {
  for (const [i, wallet] of world.wallets.entries()) {
    const random = new Random(world.seed, 'balances', wallet.address);
    for (const symbol of [i % 3, random.below(world.tokens.length), random.below(world.tokens.length)]) {
      const { mint } = itemAt(world.tokens, symbol);
      if (!isNative(mint)) holdingOf(world.store, wallet, mint);
    }
    wallet.openingLamports +=
      BigInt(random.magnitude(1, 60)) * 1_000_000_000n + BigInt(random.below(999_999_999));
    for (const token of world.tokens) {
      const holding = wallet.holdings.get(token.mint.address);
      if (holding === undefined) continue;
      const whole = 10n ** BigInt(token.mint.decimals);
      const price = world.prices.priceSf(token, GENESIS_SLOT);
      const units = unitsOfUsd(token, random.magnitude(1, 20_000), price);
      holding.opening += units + random.share(whole, 0, 999);
    }
    settleWallet(wallet);
  }
  for (const wallet of world.quietWallets) {
    wallet.openingLamports += QUIET_LAMPORTS;
    settleWallet(wallet);
  }
  world.journal.relative = false;
  for (const reserve of world.reserves) refreshReserve(world, reserve, present);
  for (const obligation of world.obligations) refreshObligation(world, obligation, present);
  for (const farm of world.farms) issueRewards(farm, timeOf(present));
  for (const vault of world.vaults) capDeposits(vault);
  settleSupplies(world);
}

function settleWallet(wallet: Wallet): void {
  wallet.lamports += wallet.openingLamports;
  for (const holding of wallet.holdings.values()) holding.amount += holding.opening;
}

/** Leaves the vault the room of its specification. */
function capDeposits(vault: Vault): void {
  const { room } = vault.spec;
  if (room === undefined) return;
  vault.depositCap = ceilScaled(netAumSf(vault)) + room * 10n ** BigInt(vault.token.mint.decimals);
}

/** Sets each mint's supply to twice what the accounts of this world hold, plus a million tokens. */
function settleSupplies(world: World): void {
  const totals = new Map(world.tokens.map(({ mint }) => [mint, 0n]));
  const count = ({ mint, amount }: { mint: (typeof world.tokens)[0]['mint']; amount: bigint }) => {
    const total = totals.get(mint);
    if (total !== undefined) totals.set(mint, total + amount);
  };
  for (const { holdings } of [...world.wallets, ...world.quietWallets])
    for (const holding of holdings.values()) count(holding);
  for (const { liquidityVault, feeVault } of world.reserves) [liquidityVault, feeVault].forEach(count);
  for (const { tokenVault } of world.vaults) count(tokenVault);
  for (const { rewards } of world.farms) for (const { holding } of rewards) count(holding);
  for (const [mint, total] of totals) {
    const whole = 10n ** BigInt(mint.decimals);
    if (!isNative(mint)) mint.supply = 2n * total + 1_000_000n * whole;
  }
}
