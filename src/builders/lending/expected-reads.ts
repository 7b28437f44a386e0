import type { Address } from '@solana/kit';
import type { KnownAccounts, KnownReserve } from '../known-accounts.ts';
import { distinct } from '../read-accounts.ts';
import { chosenAddress } from './obligation-choice.ts';
import { type LendingRequest, type ObligationRequest, priceFeedOf, reserveReads } from './request.ts';

/** Up to this many reserves (8.6 KB each) are prefetched when a second round would otherwise be likely. */
const SMALL_MARKET = 16;

/** The oracles of a market: one or two accounts, because its reserves share them. */
export function knownOracles(known: KnownAccounts, market: Address): Address[] {
  return distinct(known.reservesOf(market).map(({ value }) => priceFeedOf(value)));
}

/** Accounts that a lending action will probably need: those that its reserve and its obligation refer to. */
export function expectedLendingReads(known: KnownAccounts, request: LendingRequest): Address[] {
  const reserve = known.reserve(request.reserve);
  return [
    ...(reserve === undefined ? [] : reserveReads(request, reserve)),
    ...expectedObligationReads(known, request),
  ];
}

/** Accounts that an obligation probably refers to: those of its last build or, without one, all reserves of a small market. */
export function expectedObligationReads(
  known: KnownAccounts,
  { programs, wallet, market, obligation }: ObligationRequest,
): readonly Address[] {
  const address = chosenAddress(programs, wallet, market, obligation);
  return known.lastReferences(address) ?? reservesIfFew(known.reservesOf(market));
}

function reservesIfFew(reserves: readonly KnownReserve[]): Address[] {
  return reserves.length > SMALL_MARKET ? [] : reserves.map(({ address }) => address);
}
