import { floorScaled } from '@sluice/protocol/numeric/fraction';
import { atLeastZero } from '@sluice/protocol/numeric/integer';
import { isOpen } from './borrowers.ts';
import { refreshObligation, refreshReserve } from './debts.ts';
import { claimReward, issueRewards } from './farm-engine.ts';
import { runKeeper } from './keeper-runs.ts';
import { borrow, lend, repay, withdraw } from './lending-engine.ts';
import type { MintModel, Obligation, Wallet } from './model.ts';
import { itemAt, Random } from './prng.ts';
import type { StopSlots } from './stop-slots.ts';
import { timeOf } from './time.ts';
import { isNative } from './token-accounts.ts';
import {
  depositInVault,
  stakeOf,
  stakeShares,
  transferShares,
  unstakeShares,
  withdrawFromVault,
} from './vault-engine.ts';
import { VAULT_SPECS } from './vault-specs.ts';
import type { World } from './world.ts';

const RESERVES_PER_SLOT = 4n;
const SLOTS_PER_OBLIGATION = 4n;
const SLOTS_PER_ACTION = 5n;
const SLOTS_PER_VAULT = 40n;
const SLOTS_PER_FARM = 10n;
const ATTEMPTS = 4;
/** Lamports that a wallet reserves for fees and rent. */
const FEE_RESERVE_LAMPORTS = 500_000_000n;

/** Advances the world by one slot: the same small amount of work whatever its size. */
export function advanceSlot(world: World, slot: bigint): void {
  for (let i = 0n; i < RESERVES_PER_SLOT; i += 1n) {
    refreshReserve(world, turn(world.reserves, slot * RESERVES_PER_SLOT + i), slot);
  }
  world.oracle.refresh(turn(world.tokens, slot), slot);
  if (slot % SLOTS_PER_OBLIGATION === 0n) {
    refreshObligation(world, turn(world.obligations, slot / SLOTS_PER_OBLIGATION), slot);
  }
  if (slot % SLOTS_PER_VAULT === 0n) runKeeper(world, turn(world.vaults, slot / SLOTS_PER_VAULT), slot);
  if (slot % SLOTS_PER_FARM === 0n) {
    const farm = turn(world.farms, slot / SLOTS_PER_FARM);
    issueRewards(farm, timeOf(slot));
    world.store.touch(farm.address);
  }
  if (slot % SLOTS_PER_ACTION === 0n) actRandomly(world, slot);
}

/** Skips a long time with a few actions spread over it, then updates every price and reserve. */
export function* skipAhead(
  world: World,
  from: bigint,
  to: bigint,
  actions: bigint,
  stops: StopSlots,
): Generator<bigint, void> {
  for (let i = 1n; i <= actions; i += 1n) {
    const moment = from + ((to - from) * i) / (actions + 1n);
    const slot = moment - (moment % SLOTS_PER_ACTION);
    yield* stops.before(slot);
    actRandomly(world, slot);
    for (const vault of world.vaults) runKeeper(world, vault, slot);
  }
  yield* stops.before(to + 1n);
  for (const token of world.tokens) world.oracle.refresh(token, to);
  for (const reserve of world.reserves) refreshReserve(world, reserve, to);
}

function turn<T>(list: readonly T[], position: bigint): T {
  return itemAt(list, Number(position % BigInt(list.length)));
}

/** One wallet performs one action; which ones depends on the slot alone. */
function actRandomly(world: World, slot: bigint): void {
  const random = new Random(world.seed, 'live', String(slot));
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const wallet = random.pick(world.wallets);
    if (wallet.reserved) continue;
    const done = random.chance(55)
      ? actInVault(world, random, wallet, slot)
      : actInMarket(world, random, wallet, slot);
    if (done) return;
  }
}

function actInVault(world: World, random: Random, wallet: Wallet, slot: bigint): boolean {
  const known = wallet.vaults.length > 0 && random.chance(80);
  const vault = known
    ? random.pick(wallet.vaults)
    : itemAt(world.vaults, wallet.cell * VAULT_SPECS.length + random.below(VAULT_SPECS.length));
  if (vault.spec.size !== 'usual') return false;
  const held = wallet.holdings.get(vault.sharesMint.address)?.amount ?? 0n;
  const staked = stakeOf(vault, wallet);
  switch (random.weighted([40, 25, 12, 12, 8, 6])) {
    case 0: {
      const amount = random.share(spendable(wallet, vault.token.mint), 10, 250);
      return depositInVault(world, vault, wallet, { maxAmount: amount, stakeToo: random.chance(50) }, slot);
    }
    case 1:
      return withdrawFromVault(world, vault, wallet, random.share(held + staked, 20, 400), slot);
    case 2:
      return stakeShares(world, vault, wallet, random.share(held, 100, 900), slot);
    case 3:
      return unstakeShares(world, vault, wallet, random.share(staked, 50, 500), slot);
    case 5: {
      const user = vault.farm === null ? undefined : wallet.stakes.get(vault.farm.address);
      return user !== undefined && claimReward(world, user, wallet, random.pick(user.farm.rewards), slot);
    }
    default: {
      const to = random.pick(vault.holders);
      if (to.reserved) return false;
      return transferShares(world, vault, { from: wallet, to }, random.share(held, 20, 300), slot);
    }
  }
}

function actInMarket(world: World, random: Random, wallet: Wallet, slot: bigint): boolean {
  const candidates = wallet.obligations.filter(({ exists }) => exists);
  if (candidates.length === 0) return false;
  const obligation = random.pick(candidates);
  refreshObligation(world, obligation, slot);
  if (isTight(obligation)) return false;
  const done = actOnObligation(world, random, obligation, slot);
  if (done) refreshObligation(world, obligation, slot);
  return done;
}

/** Positions close to liquidation are left alone. */
function isTight({ unhealthySf, adjustedDebtSf }: Obligation): boolean {
  return unhealthySf * 100n < adjustedDebtSf * 130n;
}

function actOnObligation(world: World, random: Random, obligation: Obligation, slot: bigint): boolean {
  const deposits = obligation.deposits.flatMap((deposit) => deposit ?? []);
  const debts = obligation.borrows.flatMap((debt) => debt ?? []);
  const { owner } = obligation;
  if (deposits.length === 0) return false;
  const deposit = random.pick(deposits);
  if (!isOpen(deposit.reserve)) return false;
  const debt = debts.length === 0 ? null : random.pick(debts);
  if (debt !== null && !isOpen(debt.reserve)) return false;
  switch (random.weighted([30, 20, 25, 25])) {
    case 0: {
      const amount = random.share(spendable(owner, deposit.reserve.token.mint), 10, 200);
      return amount > 0n && lend(world, obligation, deposit.reserve, amount, slot);
    }
    case 1:
      return withdraw(world, obligation, deposit.reserve, random.share(deposit.ctokens, 10, 60), slot);
    case 2: {
      if (debt === null || obligation.allowedSf * 100n < obligation.adjustedDebtSf * 125n) return false;
      return borrow(world, obligation, debt.reserve, random.share(floorScaled(debt.amountSf), 10, 60), slot);
    }
    default: {
      if (debt === null) return false;
      const amount = random.share(floorScaled(debt.amountSf), 10, 120);
      if (amount > spendable(owner, debt.reserve.token.mint)) return false;
      return repay(world, obligation, debt.reserve, amount, slot);
    }
  }
}

function spendable(wallet: Wallet, mint: MintModel): bigint {
  if (isNative(mint)) return atLeastZero(wallet.lamports - FEE_RESERVE_LAMPORTS);
  return wallet.holdings.get(mint.address)?.amount ?? 0n;
}
