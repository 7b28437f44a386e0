import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import type { ProgramIds } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import type { Address } from '@solana/kit';
import { BORROW_ORDER_SLOTS } from '../../domain/borrow-orders.ts';
import { type CodedError, SluiceError } from '../../errors/sluice-error.ts';
import type { AmountInput } from '../amount.ts';
import type { KnownAccounts, KnownReserve } from '../known-accounts.ts';
import { chosenAddress, type ObligationChoice } from '../lending/obligation-choice.ts';
import { liquidityTokenProgram } from '../lending/request.ts';
import { distinct } from '../read-accounts.ts';

/** Terms of a borrow order. */
export interface WantedBorrowOrder {
  /** Mint of the token to borrow. */
  readonly mint: Address;
  /** What is to be borrowed from now on. */
  readonly amount: AmountInput;
  /** Basis points per year; compared with the highest rate of a reserve's curve. */
  readonly maxBorrowRateBps: number;
  /** Seconds; 0 accepts only debts without an end. */
  readonly minTermSeconds: bigint;
  /** Unix seconds. */
  readonly fillableUntil: bigint;
  /** Whether filled debts roll over at the end of their term. */
  readonly autoRollover: boolean;
}

/** A change of a borrow order, before any account is read. */
export interface BorrowOrderRequest {
  readonly programs: ProgramIds;
  /** Owner of the obligation, and a signer. */
  readonly wallet: Address;
  readonly market: Address;
  readonly obligation: ObligationChoice;
  readonly lookupTables: readonly Address[];
}

const U32_MAX = 0xff_ff_ff_ff;

export const refused = (reason: string): CodedError => new SluiceError('BUILD_REFUSED', { reason });

/** @throws BUILD_REFUSED for an index that no borrow order has */
export function checkBorrowOrderIndex(index: number): void {
  if (Number.isInteger(index) && index >= 0 && index < BORROW_ORDER_SLOTS) return;
  throw refused(
    'an obligation has three borrow orders, with the indexes 0, 1 and 2 (6123 OrderIndexOutOfBounds)',
  );
}

/** @throws BUILD_REFUSED for terms that no borrow order may have */
export function checkBorrowTerms({
  maxBorrowRateBps,
  minTermSeconds,
  fillableUntil,
}: WantedBorrowOrder): void {
  const hasRate = Number.isInteger(maxBorrowRateBps) && maxBorrowRateBps > 0 && maxBorrowRateBps <= U32_MAX;
  if (!hasRate) {
    throw refused('the maximum rate must be positive whole basis points (6124 InvalidOrderConfiguration)');
  }
  if (minTermSeconds < 0n || minTermSeconds > U64_MAX) {
    throw refused('the minimum term must not be negative');
  }
  if (fillableUntil < 0n || fillableUntil > U64_MAX) throw refused('the order must end after 1970');
}

/** Accounts to read in the first round. */
export function firstBorrowOrderReads(request: BorrowOrderRequest): Address[] {
  const { programs, wallet, market, obligation, lookupTables } = request;
  const address = chosenAddress(programs, wallet, market, obligation);
  return distinct([market, address, wallet, ...lookupTables]);
}

/** The reserves of a token in a market, by address. */
export function knownReserves(known: KnownAccounts, market: Address, mint: Address): KnownReserve[] {
  return known
    .reservesOf(market)
    .filter(({ value }) => value.liquidity.mintPubkey === mint)
    .sort((a, b) => (a.address < b.address ? -1 : 1));
}

/** The reserves of a token in a market, any of which may fill its orders. @throws BUILD_REFUSED without one */
export function reservesOfToken(
  known: KnownAccounts,
  market: Address,
  mint: Address,
): readonly [KnownReserve, ...KnownReserve[]] {
  const [first, ...others] = knownReserves(known, market, mint);
  if (first === undefined) throw refused(`market ${market} has no reserve of mint ${mint}`);
  return [first, ...others];
}

/** Accounts to read in the second round: the reserves of the token, and the wallet's own account for it. */
export function secondBorrowOrderReads(
  { wallet }: BorrowOrderRequest,
  reserves: readonly KnownReserve[],
): Address[] {
  return distinct(
    reserves.flatMap(({ address, value }) => {
      const program = liquidityTokenProgram(value);
      return [address, associatedTokenAddress(wallet, program, value.liquidity.mintPubkey).address];
    }),
  );
}
