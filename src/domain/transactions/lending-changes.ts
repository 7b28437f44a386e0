import type { Address } from '@solana/kit';
import type { EventLookups, LendingChange, LendingEventKind } from './events.ts';
import type { Scene } from './scene.ts';

const FULL_BPS = 10_000n;

/** The accounts that every lending action names. */
export interface PositionAccounts {
  readonly owner: Address;
  readonly obligation: Address;
  readonly lendingMarket: Address;
}

/** The head of a change. Anybody may repay, so the signer of a repayment says nothing about the owner. */
export function position(
  kind: LendingEventKind,
  side: LendingChange['side'],
  { owner: signer, obligation, lendingMarket }: PositionAccounts,
  reserve: Address,
  lookups: EventLookups,
): LendingChange {
  const signedByOwner = kind !== 'repay' && kind !== 'liquidation';
  return {
    kind,
    side,
    obligation,
    market: lendingMarket,
    reserve,
    owner: lookups.ownerOfObligation(obligation) ?? (signedByOwner ? signer : null),
    signer,
    liquidity: 0n,
    collateral: 0n,
    fee: 0n,
  };
}

/** A debt grows by what was received and by the origination fee on top of it. */
export function borrowed(
  accounts: PositionAccounts & {
    readonly borrowReserve: Address;
    readonly reserveSourceLiquidity: Address;
    readonly borrowReserveLiquidityFeeReceiver: Address;
    readonly userDestinationLiquidity: Address;
    readonly referrerTokenState: Address | null;
  },
  { flows, lookups }: Scene,
): LendingChange {
  const { reserveSourceLiquidity, borrowReserveLiquidityFeeReceiver, userDestinationLiquidity } = accounts;
  const paid = flows.sent(reserveSourceLiquidity, borrowReserveLiquidityFeeReceiver);
  const shareBps =
    accounts.referrerTokenState === null ? 0 : (lookups.referralFeeBps(accounts.lendingMarket) ?? 0);
  return {
    ...position('borrow', 'debt', accounts, accounts.borrowReserve, lookups),
    liquidity: flows.received(reserveSourceLiquidity, userDestinationLiquidity),
    fee: wholeFee(paid, BigInt(shareBps)),
  };
}

/**
 * The fee of which `paid` went to the fee vault. The program keeps floor(fee x share) in the reserve for the referrer, so
 * `paid` is the ceiling of the rest; of the few fees that fit (one or two up to a share of a half), the largest.
 */
function wholeFee(paid: bigint, shareBps: bigint): bigint {
  return shareBps >= FULL_BPS ? paid : (paid * FULL_BPS) / (FULL_BPS - shareBps);
}
