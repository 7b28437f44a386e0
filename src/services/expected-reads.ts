import type { Address } from '@solana/kit';
import { LRUCache } from 'lru-cache';
import type { LendingAccounts } from '../builders/lending-accounts.ts';
import { type LendingRequest, obligationReads, reserveReads } from '../builders/lending-request.ts';
import { chosenAddress } from '../builders/obligation-choice.ts';
import { type VaultRequest, vaultReads } from '../builders/vault-request.ts';
import type { Session } from './records.ts';

/** An obligation has up to 13 reserves, some referrer states and a table: two kilobytes of addresses at most. */
const seen = new LRUCache<Address, readonly Address[]>({ max: 4_096 });

/** Reserves of 8.6 KB each that are worth reading unasked, where otherwise a second round would be likely. */
const SMALL_MARKET = 16;

/**
 * What a lending build will probably need. The View tells what goes with the reserve; what goes with the obligation only
 * the obligation tells, so it is what it was last time, or all reserves of a small market when it was never seen.
 */
export function expectedLendingReads({ view }: Session, request: LendingRequest): Address[] {
  const { programs, wallet, market } = request;
  const reserve = view.get('reserve', request.reserve)?.value;
  const obligation = chosenAddress(programs, wallet, market, request.obligation);
  return [
    ...(reserve === undefined ? [] : reserveReads(request, reserve)),
    ...(seen.get(obligation) ?? reservesIfFew(view.reservesOfMarket(market))),
  ];
}

/** Keeps the addresses that an obligation led to, and nothing of what stood there. */
export function rememberLendingReads({ request, ...accounts }: LendingAccounts): void {
  seen.set(accounts.obligationAddress, obligationReads(request, accounts));
}

function reservesIfFew(reserves: readonly { readonly address: Address }[]): Address[] {
  return reserves.length > SMALL_MARKET ? [] : reserves.map(({ address }) => address);
}

/** What a vault build will probably need: what the vault led to when the View was made. */
export function expectedVaultReads({ view }: Session, request: VaultRequest): Address[] {
  const state = view.get('vault', request.vault)?.value;
  return state === undefined ? [] : vaultReads(request, state);
}
