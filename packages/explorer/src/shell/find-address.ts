import { graphql, type ResultOf, type SluiceClient } from '@sluice/client';
import { looksLikeAddress, looksLikeSignature } from '../ui/looks-like-address.ts';

export const FIND = graphql(`
  query WhatIsAt($address: Address!) {
    vault(address: $address) { address name }
    reserve(address: $address) { address token { symbol } }
    market(address: $address) { address name }
    obligation(address: $address) { owner { address } }
    token(mint: $address) { symbol }
  }
`);

export type Place = 'vault' | 'reserve' | 'market' | 'loan' | 'wallet' | 'transaction';

/** Where an address leads: the page about it, or why there is none. */
export type Found =
  | { readonly kind: Place; readonly name: string | null; readonly route: string }
  | { readonly reason: string };

/** Asks the graph what an address is. Every other address can be a wallet. A signature is that of a transaction. */
export async function findAddress(
  client: SluiceClient,
  address: string,
  signal: AbortSignal,
): Promise<Found> {
  if (looksLikeSignature(address))
    return { kind: 'transaction', name: null, route: `/transactions/${address}` };
  if (!looksLikeAddress(address))
    return { reason: 'This is not an address: paste 32 to 44 letters and digits.' };
  const { data, errors } = await client.query(FIND, { address }, { signal });
  const found = pageOf(data, address);
  if (found !== null) return found;
  // An address that could not be read now may be more than a wallet.
  const failure = errors.find(({ retryable }) => retryable);
  return failure === undefined
    ? { kind: 'wallet', name: null, route: `/wallet/${address}` }
    : { reason: failure.message };
}

function pageOf(
  { vault, reserve, market, obligation, token }: ResultOf<typeof FIND>,
  address: string,
): Found | null {
  if (vault !== null) return { kind: 'vault', name: vault.name, route: `/vaults/${address}` };
  if (reserve !== null) return { kind: 'reserve', name: reserve.token.symbol, route: `/reserves/${address}` };
  if (market !== null) return { kind: 'market', name: market.name, route: `/markets/${address}` };
  if (obligation !== null) return { kind: 'loan', name: null, route: `/wallet/${obligation.owner.address}` };
  if (token !== null)
    return { reason: `This is the mint of ${token.symbol ?? 'a token'}. Search the lists for it.` };
  return null;
}
