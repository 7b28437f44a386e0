import { ceilScaled, FRACTION_ONE, floorScaled, wholeScaled } from '@sluice/protocol/numeric/fraction';
import { lesser } from '@sluice/protocol/numeric/integer';
import { Draft } from './journal.ts';
import type { Allocation, Reserve, Vault } from './model.ts';
import { countOutflow } from './outflow-caps.ts';
import {
  accrueInterest,
  availableOf,
  chargedFees,
  collateralToRedeem,
  collateralWorth,
  grossAumSf,
  liquiditySfOf,
  noteLimits,
  totalSupplySf,
} from './program-maths.ts';
import { timeOf } from './time.ts';
import { VaultTargets } from './vault-targets.ts';
import { MIN_DEPOSIT, MIN_INVEST, MIN_INVEST_DELAY_SLOTS } from './vaults.ts';
import type { World } from './world.ts';

/** Updates the vault to a slot: interest of its reserves, then its fees. */
export function refreshVault(world: World, vault: Vault, slot: bigint): void {
  accrueReserves(world, vault, slot);
  Object.assign(vault, chargedFees(vault, timeOf(slot)));
  world.store.touch(vault.address);
}

function accrueReserves(world: World, { allocations }: Vault, slot: bigint): void {
  for (const { reserve } of allocations) {
    accrueInterest(reserve, slot);
    world.store.touch(reserve.address);
  }
}

/**
 * Invests idle tokens, one reserve after the other, where the vault holds less than its target. The vault's keeper leaves
 * reserves alone that hold more. False when there was nothing to invest.
 */
export function investVault(world: World, vault: Vault, slot: bigint): boolean {
  const { keeper, allocations } = vault;
  if (keeper === null) throw new RangeError(`${vault.name} has no keeper`);
  if (vault.available < MIN_DEPOSIT * 10n) return false;
  accrueReserves(world, vault, slot);
  const targets = new VaultTargets(vault);
  let outlook = outlookOf(vault, slot);
  /** The assets of which the last investment stored the parts; null before. */
  let dividedSf: bigint | null = null;
  for (const allocation of allocations) {
    if (slot < allocation.lastInvestSlot + MIN_INVEST_DELAY_SLOTS) continue;
    const heldSf = heldIn(allocation);
    const missingSf = targets.of(allocation, outlook.aumSf) - heldSf;
    const wantedSf = lesser(missingSf, wholeScaled(vault.available));
    if (wantedSf <= wholeScaled(MIN_INVEST) || !hasRoom(allocation.reserve, wantedSf)) continue;
    Object.assign(vault, outlook.fees);
    dividedSf = outlook.aumSf;
    const availableBefore = vault.available;
    investIn(world, new Draft(world.store, keeper, slot), vault, allocation, wantedSf);
    const movedSf = wholeScaled(vault.available - availableBefore) + heldIn(allocation) - heldSf;
    outlook = outlookOf(vault, slot, outlook.grossSf + movedSf);
  }
  if (dividedSf === null) return false;
  const stored = targets.all(dividedSf);
  for (const allocation of allocations) allocation.targetSf = stored.get(allocation) ?? 0n;
  return true;
}

/** Whether the reserve takes a deposit, scaled by 2^60. */
const hasRoom = (reserve: Reserve, amountSf: bigint) =>
  totalSupplySf(reserve) + amountSf + FRACTION_ONE <= wholeScaled(reserve.depositLimit);

const heldIn = ({ reserve, holding }: Allocation) => liquiditySfOf(reserve, holding.amount);

/** The fees that an investment would charge, and the assets that it would divide. */
function outlookOf(vault: Vault, slot: bigint, grossSf = grossAumSf(vault)) {
  const fees = chargedFees(vault, timeOf(slot), grossSf);
  return { grossSf, fees, aumSf: grossSf - fees.pendingFeesSf };
}

/** Moves liquidity, scaled by 2^60, from the vault's idle tokens into one reserve. */
function investIn(world: World, draft: Draft, vault: Vault, allocation: Allocation, wantedSf: bigint): void {
  const { payer: keeper, slot } = draft;
  const { reserve, holding } = allocation;
  const ctokens = collateralWorth(reserve, wantedSf);
  const worthSf = liquiditySfOf(reserve, ctokens);
  const taken = ceilScaled(worthSf);
  const loss = taken - floorScaled(worthSf);
  const isCovered = vault.crankFunds >= loss;
  const roundingLoss = isCovered ? 0n : loss;
  if (isCovered) vault.crankFunds -= loss;
  if (roundingLoss > 0n) draft.move(draft.accountFor(keeper, vault.token.mint), -roundingLoss);
  draft.move(vault.tokenVault, roundingLoss - taken);
  draft.move(reserve.liquidityVault, taken);
  draft.move(holding, ctokens);
  reserve.collateralMint.supply += ctokens;
  countOutflow(reserve.depositCap, -taken, timeOf(slot));
  vault.available -= taken - loss;
  allocation.lastInvestSlot = slot;
  for (const { address } of [reserve, reserve.collateralMint, vault]) world.store.touch(address);
  const concerned = [keeper.address, vault.address, reserve.address, reserve.market.address];
  for (const { holding: moved } of draft.movements) concerned.push(moved.address);
  const action = { kind: 'invest', vault, allocation, liquidity: taken, ctokens, roundingLoss } as const;
  world.journal.append(draft, action, concerned);
}

/** The reserve that can pay the amount and holds the most. */
export function sourceOf(vault: Vault, liquidity: bigint): Allocation | null {
  let best: Allocation | null = null;
  let most = 0n;
  for (const allocation of vault.allocations) {
    const { reserve, holding } = allocation;
    const payable = lesser(floorScaled(liquiditySfOf(reserve, holding.amount)), availableOf(reserve)) - 1n;
    if (payable >= liquidity && payable > most) {
      most = payable;
      best = allocation;
    }
  }
  return best;
}

/**
 * Redeems cTokens of one reserve for at least this much liquidity. The vault loses what the reserve does not pay of the last
 * unit, and does not pay the user for it.
 */
export function disinvest(
  world: World,
  draft: Draft,
  vault: Vault,
  { reserve, holding }: Allocation,
  liquidity: bigint,
): { ctokens: bigint; liquidity: bigint; roundingLoss: bigint } {
  const ctokens = lesser(holding.amount, collateralToRedeem(reserve, liquidity));
  const worthSf = liquiditySfOf(reserve, ctokens);
  const paid = floorScaled(worthSf);
  draft.move(holding, -ctokens);
  reserve.collateralMint.supply -= ctokens;
  draft.move(reserve.liquidityVault, -paid);
  noteLimits(reserve, timeOf(draft.slot));
  countOutflow(reserve.depositCap, paid, timeOf(draft.slot));
  draft.move(vault.tokenVault, paid);
  vault.available += paid;
  world.store.touch(reserve.collateralMint.address);
  return { ctokens, liquidity: paid, roundingLoss: wholeScaled(paid) === worthSf ? 0n : 1n };
}
