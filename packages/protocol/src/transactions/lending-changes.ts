import type { Address } from '@solana/kit';
import type { CallContext } from './call-context.ts';
import type { EventLookups, LendingChange, LendingEventKind } from './events.ts';

const FULL_BPS = 10_000n;

/** Accounts common to all lending actions. */
export interface PositionAccounts {
  readonly owner: Address;
  readonly obligation: Address;
  readonly lendingMarket: Address;
}

/** The common fields of a change. Anyone may repay, so the signer of a repayment need not be the owner. */
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

/** A debt grows by the amount received plus the origination fee. */
export function borrowed(
  accounts: PositionAccounts & {
    readonly borrowReserve: Address;
    readonly reserveSourceLiquidity: Address;
    readonly borrowReserveLiquidityFeeReceiver: Address;
    readonly userDestinationLiquidity: Address;
    readonly referrerTokenState: Address | null;
  },
  { flows, lookups }: CallContext,
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
 * The total fee, given the part `paid` to the fee vault. The program (`calculate_fees` of reserves in klend 1.25.0, unchanged since
 * 1.16.0) rounds the fee to the nearest base unit, and keeps in the reserve floor(unrounded fee * share) for the referrer.
 * Several fees can match: for a share of up to one half, this one is right to within two base units, beyond to within
 * 2 / (1 - share). With a share of 100 % the program keeps the whole rounded fee. No transfer then tells it, so it counts as 0.
 */
function wholeFee(paid: bigint, shareBps: bigint): bigint {
  return shareBps >= FULL_BPS ? paid : (paid * FULL_BPS) / (FULL_BPS - shareBps);
}
