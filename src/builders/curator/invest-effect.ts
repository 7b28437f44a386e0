import type { VaultState } from '@sluice/protocol/kvault/vault-state';
import { ceilScaled, FRACTION_ONE, floorScaled, wholeScaled } from '@sluice/protocol/numeric/fraction';
import { lesser } from '@sluice/protocol/numeric/integer';
import type { Moment } from '../../domain/moment.ts';
import { collateralValueSf } from '../../domain/vault-assets.ts';
import { vaultTargets } from '../../domain/vault-targets.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import { changed } from '../changed-account.ts';
import type { CuratorAccounts } from './accounts.ts';
import { type CuratorEffect, collateralForSf, movedReserve, openedVault } from './effect.ts';
import type { AllocatedReserve } from './refusals.ts';

/** The program's names for its refusals of an investment. */
export type InvestRefusal = 'InvestTooSoon' | 'ReserveNotWhitelisted' | 'InvestAmountBelowMinimum';

export interface InvestEffect extends CuratorEffect {
  readonly direction: 'into reserve' | 'out of reserve';
  /** Base units of the vault's token. */
  readonly liquidity: bigint;
  /** Base units. */
  readonly collateral: bigint;
  /** Base units that the wallet pays, because rounding would cost the shareholders as much. */
  readonly roundingLoss: bigint;
  /** The first slot in which the program moves tokens between the vault and the reserve again. */
  readonly dueSlot: bigint;
  /** Null when the program accepts the investment. */
  readonly refusal: InvestRefusal | null;
}

/**
 * Moves a reserve of the vault towards its target, with the program's rounding.
 *
 * @param maxAmount base units to move at most
 * @param isListed whether vaults with a whitelist may invest in the reserve
 */
export function investEffect(
  accounts: CuratorAccounts,
  { address, allocation }: AllocatedReserve,
  maxAmount: bigint,
  isListed: boolean,
  at: Moment,
): InvestEffect {
  const { vault, reserves: rates, refreshed } = openedVault(accounts, at);
  const rate = rates.get(address);
  const account = refreshed.get(address);
  if (rate === undefined || account === undefined) throw new SluiceError('INTERNAL', {});
  const targets = vaultTargets(vault, (reserve) => rates.get(reserve));
  const heldSf = targets.investedSf.get(address) ?? 0n;
  const targetSf = targets.targetSf.get(address) ?? 0n;
  const adds = heldSf <= targetSf;
  const missingSf = adds ? lesser(targetSf - heldSf, wholeScaled(vault.tokenAvailable)) : heldSf - targetSf;
  const isLimited = missingSf > wholeScaled(maxAmount);
  const wantedSf = isLimited ? wholeScaled(maxAmount) : missingSf;
  const leaves = allocation.targetAllocationWeight === 0n && !isLimited && !adds;
  const collateral = leaves ? allocation.ctokenAllocation : floorScaled(collateralForSf(rate, wantedSf));
  const worthSf = collateralValueSf(rate, collateral);
  const liquidity = adds ? ceilScaled(worthSf) : floorScaled(worthSf);
  const loss = worthSf % FRACTION_ONE > 0n ? 1n : 0n;
  // A limited call could be repeated at once, so it neither uses the vault's crank funds nor starts the delay again.
  const isCovered = !isLimited && vault.availableCrankFunds >= loss;
  const roundingLoss = isCovered ? 0n : loss;
  const dueSlot = allocation.lastInvestSlot + vault.minInvestDelaySlots;
  const refusal = (): InvestRefusal | null => {
    if (at.slot < dueSlot) return 'InvestTooSoon';
    if (adds && vault.allowInvestInWhitelistedReservesOnly === 1 && !isListed) return 'ReserveNotWhitelisted';
    return leaves || wantedSf > wholeScaled(vault.minInvestAmount) ? null : 'InvestAmountBelowMinimum';
  };
  const common = {
    direction: adds ? 'into reserve' : 'out of reserve',
    liquidity,
    collateral,
    roundingLoss,
    dueSlot,
  } as const;
  const why = refusal();
  if (why !== null) {
    return { ...common, refusal: why, vault: accounts.vault, reserves: new Map(), received: null };
  }
  const sign = adds ? 1n : -1n;
  const after: VaultState = changed(vault, {
    tokenAvailable: vault.tokenAvailable - sign * liquidity + loss,
    availableCrankFunds: vault.availableCrankFunds - (isCovered ? loss : 0n),
    vaultAllocationStrategy: vault.vaultAllocationStrategy.map((slot) => {
      const target = targets.targetSf.get(slot.reserve);
      if (target === undefined) return slot;
      const own = slot.reserve === address;
      return changed(slot, {
        tokenTargetAllocationSf: target,
        ctokenAllocation: slot.ctokenAllocation + (own ? sign * collateral : 0n),
        lastInvestSlot: own && !isLimited ? at.slot : slot.lastInvestSlot,
      });
    }),
  });
  const reserves = new Map(refreshed).set(
    address,
    movedReserve(account, sign * liquidity, sign * collateral),
  );
  return { ...common, refusal: null, vault: after, reserves, received: -roundingLoss };
}
