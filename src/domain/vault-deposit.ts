import type { VaultState } from '@sluice/protocol/kvault/vault-state';
import { ceilScaled, FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { ceilDivide, lesser } from '@sluice/protocol/numeric/integer';
import { usedAllocations } from './vault.ts';
import { depositRoom } from './vault-cap.ts';

/** The program's names for its refusals of a deposit. */
export type DepositRefusal =
  | 'VaultDepositCapReached'
  | 'VaultAUMZero'
  | 'DepositAmountBelowMinimum'
  | 'DepositAmountsZeroShares'
  | 'SharesOutBelowMinimum';

/** A deposit by the program's rules, base units. The wallet pays `tokens` and `crankFee`. */
export interface DepositTerms {
  /** Pays for investing the deposit later. */
  readonly crankFee: bigint;
  /** Offer for shares: the amount less the crank fee. */
  readonly offered: bigint;
  /** The most that the cap allows. */
  readonly room: bigint;
  /** Whether the cap cuts what is offered. */
  readonly isCut: boolean;
  readonly shares: bigint;
  /** Price of the shares. */
  readonly tokens: bigint;
  /** Null when the program accepts the deposit. */
  readonly refusal: DepositRefusal | null;
}

type DepositSettings = Pick<VaultState, 'depositCap' | 'sharesIssued' | 'minDepositAmount'>;

/** A fixed fee for each reserve that can receive new tokens, base units. */
export function crankFeeOf(vault: VaultState): bigint {
  const open = usedAllocations(vault).filter(
    ({ targetAllocationWeight, tokenAllocationCap }) =>
      targetAllocationWeight > 0n && tokenAllocationCap > 0n,
  );
  return BigInt(open.length) * vault.crankFundFeePerReserve;
}

/**
 * Cuts a deposit to the vault's cap and sells shares for it, in the order of the program.
 * @param aumSf assets of the shareholders after rewards and fees, scaled by 2^60
 * @param minShares fewer shares are refused
 */
export function depositTerms(
  vault: DepositSettings,
  aumSf: bigint,
  amount: bigint,
  crankFee: bigint,
  minShares = 0n,
): DepositTerms {
  const { sharesIssued: issued, minDepositAmount } = vault;
  const offered = amount > crankFee ? amount - crankFee : 0n;
  const room = depositRoom(vault, aumSf);
  const isCut = offered > room;
  const used = lesser(offered, room);
  const value = ceilScaled(aumSf);
  const shares = issued === 0n ? used : value === 0n ? 0n : (issued * used) / value;
  const tokens = issued === 0n ? shares : ceilDivide(aumSf * shares, issued * FRACTION_ONE);
  const refusal = (): DepositRefusal | null => {
    // The program does not survive an amount below its fee; for the caller that is a deposit that is too small.
    if (amount < crankFee) return 'DepositAmountBelowMinimum';
    if (room === 0n) return 'VaultDepositCapReached';
    if (issued > 0n && aumSf === 0n) return 'VaultAUMZero';
    if (tokens < minDepositAmount) return isCut ? 'VaultDepositCapReached' : 'DepositAmountBelowMinimum';
    if (shares === 0n) return 'DepositAmountsZeroShares';
    return shares < minShares ? 'SharesOutBelowMinimum' : null;
  };
  return { crankFee, offered, room, isCut, shares, tokens, refusal: refusal() };
}
