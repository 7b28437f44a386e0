import { ceilScaled, floorScaled, wholeScaled } from '@sluice/protocol/numeric/fraction';
import { atLeastZero, ceilDivide, greater, lesser } from '@sluice/protocol/numeric/integer';
import type { Address } from '@solana/kit';
import { changeStake, farmUserOf } from './farm-engine.ts';
import { Draft } from './journal.ts';
import type { Vault, Wallet } from './model.ts';
import { netAumSf } from './program-maths.ts';
import { timeOf } from './time.ts';
import { disinvest, refreshVault, sourceOf } from './vault-investing.ts';
import { MIN_DEPOSIT, MIN_WITHDRAW } from './vaults.ts';
import type { World } from './world.ts';
import type { WorldAction } from './world-actions.ts';

/** Minimum withdrawal penalty, from the program's global settings. */
export const GLOBAL_PENALTY = { bps: 1n, units: 1n };

/**
 * Deposits up to an amount. False when the program would reject it; then only accrued interest has changed.
 */
export function depositInVault(
  world: World,
  vault: Vault,
  wallet: Wallet,
  { maxAmount, stakeToo }: { readonly maxAmount: bigint; readonly stakeToo: boolean },
  slot: bigint,
): boolean {
  refreshVault(world, vault, slot);
  const issued = vault.sharesMint.supply;
  const crankFunds = vault.spec.crankFeePerReserve * BigInt(vault.allocations.length);
  const aum = netAumSf(vault);
  const room = vault.depositCap === 0n ? maxAmount : atLeastZero(vault.depositCap - ceilScaled(aum));
  const net = lesser(maxAmount - crankFunds, room);
  const shares = issued === 0n ? net : (issued * net) / greater(1n, ceilScaled(aum));
  const tokens = issued === 0n ? net : ceilScaled(ceilDivide(aum * shares, issued));
  if (shares <= 0n || tokens < MIN_DEPOSIT) return false;
  const draft = new Draft(world.store, wallet, slot);
  draft.take(wallet, vault.token.mint, tokens + crankFunds);
  draft.move(vault.tokenVault, tokens + crankFunds);
  vault.available += tokens;
  vault.crankFunds += crankFunds;
  vault.prevAumSf += wholeScaled(tokens);
  mintShares(world, vault, shares);
  const held = draft.accountFor(wallet, vault.sharesMint);
  draft.move(held, shares);
  if (!wallet.vaults.includes(vault)) {
    wallet.vaults.push(vault);
    vault.holders.push(wallet);
  }
  const stake = stakeToo && vault.farm !== null ? moveToFarm(world, draft, vault, held.amount) : null;
  record(world, draft, vault, {
    kind: 'vaultDeposit',
    vault,
    maxAmount,
    tokens,
    crankFunds,
    shares,
    stake: stake === null ? null : { amount: stake.amount, first: stake.first },
  });
  return true;
}

/** Redeems shares, unstaking first when the wallet holds too few unstaked ones. */
export function withdrawFromVault(
  world: World,
  vault: Vault,
  wallet: Wallet,
  shares: bigint,
  slot: bigint,
): boolean {
  const held = wallet.holdings.get(vault.sharesMint.address);
  const staked = stakeOf(vault, wallet);
  if (held === undefined || shares <= 0n || shares > held.amount + staked) return false;
  refreshVault(world, vault, slot);
  const aum = netAumSf(vault);
  const gross = floorScaled((aum * shares) / vault.sharesMint.supply);
  const penaltyBps = greater(BigInt(vault.spec.penaltyBps), GLOBAL_PENALTY.bps);
  const penaltyUnits = greater(vault.spec.penaltyUnits, GLOBAL_PENALTY.units);
  const penalty = greater(ceilDivide(gross * penaltyBps, 10_000n), penaltyUnits);
  const tokens = gross - penalty;
  if (tokens <= MIN_WITHDRAW) return false;
  const fromIdle = lesser(vault.available, tokens);
  const missing = tokens - fromIdle;
  const source = missing === 0n ? null : sourceOf(vault, missing);
  if (missing > 0n && source === null) return false;
  const burned = lesser(shares, ceilDivide(wholeScaled(tokens + penalty) * vault.sharesMint.supply, aum));
  const draft = new Draft(world.store, wallet, slot);
  const unstaked = atLeastZero(shares - held.amount);
  if (unstaked > 0n) moveFromFarm(world, draft, vault, unstaked);
  const part = source === null ? null : disinvest(world, draft, vault, source, missing);
  const from = source === null || part === null ? null : { allocation: source, ...part };
  const paid = tokens - (part?.roundingLoss ?? 0n);
  draft.move(vault.tokenVault, -paid);
  draft.take(wallet, vault.token.mint, -paid);
  vault.available -= paid;
  draft.move(held, -burned);
  mintShares(world, vault, -burned);
  vault.prevAumSf = aum - wholeScaled(tokens);
  record(world, draft, vault, {
    kind: 'vaultWithdraw',
    vault,
    shares,
    burned,
    tokens: paid,
    from,
    unstaked,
  });
  return true;
}

export function stakeShares(
  world: World,
  vault: Vault,
  wallet: Wallet,
  amount: bigint,
  slot: bigint,
): boolean {
  const held = wallet.holdings.get(vault.sharesMint.address);
  if (vault.farm === null || held === undefined || amount <= 0n || amount > held.amount) return false;
  const draft = new Draft(world.store, wallet, slot);
  const { first } = moveToFarm(world, draft, vault, amount);
  record(world, draft, vault, { kind: 'stake', vault, amount, first });
  return true;
}

export function unstakeShares(
  world: World,
  vault: Vault,
  wallet: Wallet,
  amount: bigint,
  slot: bigint,
): boolean {
  if (amount <= 0n || amount > stakeOf(vault, wallet)) return false;
  const draft = new Draft(world.store, wallet, slot);
  moveFromFarm(world, draft, vault, amount);
  record(world, draft, vault, { kind: 'unstake', vault, amount });
  return true;
}

export function transferShares(
  world: World,
  vault: Vault,
  { from, to }: { readonly from: Wallet; readonly to: Wallet },
  amount: bigint,
  slot: bigint,
): boolean {
  const held = from.holdings.get(vault.sharesMint.address);
  if (from === to || held === undefined || amount <= 0n || amount > held.amount) return false;
  const draft = new Draft(world.store, from, slot);
  const received = draft.accountFor(to, vault.sharesMint);
  draft.move(held, -amount);
  draft.move(received, amount);
  if (!to.vaults.includes(vault)) {
    to.vaults.push(vault);
    vault.holders.push(to);
  }
  record(world, draft, vault, { kind: 'shareTransfer', vault, to, amount });
  return true;
}

export function stakeOf(vault: Vault, wallet: Wallet): bigint {
  return vault.farm === null ? 0n : (wallet.stakes.get(vault.farm.address)?.stake ?? 0n);
}

function mintShares(world: World, vault: Vault, shares: bigint): void {
  vault.sharesMint.supply += shares;
  world.store.touch(vault.sharesMint.address);
}

/** Stakes shares of the payer. */
function moveToFarm(
  world: World,
  draft: Draft,
  vault: Vault,
  amount: bigint,
): { amount: bigint; first: boolean } {
  const { farm } = vault;
  if (farm === null || farm.holding === null) throw new RangeError(`${vault.name} has no farm`);
  const [user, first] = farmUserOf(world, farm, draft.payer, timeOf(draft.slot));
  if (first) draft.rent(920);
  draft.move(draft.accountFor(draft.payer, vault.sharesMint), -amount);
  draft.move(farm.holding, amount);
  changeStake(world, user, amount, timeOf(draft.slot));
  return { amount, first };
}

/** Unstakes shares of the payer. */
function moveFromFarm(world: World, draft: Draft, vault: Vault, amount: bigint): void {
  const { farm } = vault;
  if (farm === null || farm.holding === null) throw new RangeError(`${vault.name} has no farm`);
  const [user] = farmUserOf(world, farm, draft.payer, timeOf(draft.slot));
  changeStake(world, user, -amount, timeOf(draft.slot));
  draft.move(farm.holding, -amount);
  draft.move(draft.accountFor(draft.payer, vault.sharesMint), amount);
}

/**
 * Indexes the transaction under the addresses it names: a plain transfer or stake does not name the vault.
 */
function record(world: World, draft: Draft, vault: Vault, action: WorldAction): void {
  const concerned: Address[] = [draft.payer.address];
  const farm = vault.farm?.address;
  const stake = farm === undefined ? undefined : draft.payer.stakes.get(farm)?.address;
  const staking =
    action.kind === 'stake' ||
    action.kind === 'unstake' ||
    (action.kind === 'vaultDeposit' && action.stake !== null) ||
    (action.kind === 'vaultWithdraw' && action.unstaked > 0n);
  if (staking && farm !== undefined && stake !== undefined) concerned.push(farm, stake);
  if (action.kind !== 'unstake') concerned.push(vault.sharesMint.address);
  if (action.kind === 'shareTransfer') concerned.push(action.to.address);
  if (action.kind === 'vaultDeposit' || action.kind === 'vaultWithdraw') concerned.push(vault.address);
  for (const { holding } of draft.movements) concerned.push(holding.address);
  world.journal.append(draft, action, concerned);
}
