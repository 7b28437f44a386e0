import type { Address } from '@solana/kit';
import type { LendingAccounts } from '../builders/lending/accounts.ts';
import { chosenAddress } from '../builders/lending/obligation-choice.ts';
import {
  type LendingRequest,
  type ObligationRequest,
  obligationReads,
  reserveReads,
} from '../builders/lending/request.ts';
import { type VaultRequest, vaultReads } from '../builders/vault/request.ts';
import { growingLru } from '../node/growing-lru.ts';
import type { Session } from './records.ts';

/** At most two kilobytes each: up to 13 reserves, some referrer states and a table. */
const CACHED_OBLIGATIONS = 4_096;
const previousReads = growingLru<Address, readonly Address[]>(CACHED_OBLIGATIONS);

/** Up to this many reserves (8.6 KB each) are prefetched when a second round would otherwise be likely. */
const SMALL_MARKET = 16;

/**
 * Accounts that a lending build will probably need. Those of the reserve come from the View. Those of the obligation
 * are the ones of its previous build or, without one, all reserves of a small market.
 */
export function expectedLendingReads(session: Session, request: LendingRequest): Address[] {
  const reserve = session.view.get('reserve', request.reserve)?.value;
  return [
    ...(reserve === undefined ? [] : reserveReads(request, reserve)),
    ...expectedObligationReads(session, request),
  ];
}

/** Accounts that an obligation probably refers to. */
export function expectedObligationReads(
  { view }: Session,
  { programs, wallet, market, obligation }: ObligationRequest,
): readonly Address[] {
  const address = chosenAddress(programs, wallet, market, obligation);
  return previousReads.get(address) ?? reservesIfFew(view.reservesOfMarket(market));
}

/** Caches the addresses that an obligation refers to, not their content. */
export function rememberLendingReads({ request, ...accounts }: LendingAccounts): void {
  previousReads.set(accounts.obligationAddress, obligationReads(request, accounts));
}

function reservesIfFew(reserves: readonly { readonly address: Address }[]): Address[] {
  return reserves.length > SMALL_MARKET ? [] : reserves.map(({ address }) => address);
}

/** Accounts that a vault build will probably need: those that the vault refers to in the View. */
export function expectedVaultReads({ view }: Session, request: VaultRequest): Address[] {
  const state = view.get('vault', request.vault)?.value;
  return state === undefined ? [] : vaultReads(request, state);
}
