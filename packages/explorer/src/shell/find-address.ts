import { graphql, type ResultOf, type SluiceClient } from '@sluice/client';

export const FIND = graphql(`
  query WhatIsAt($address: Address!) {
    vault(address: $address) { address }
    reserve(address: $address) { address }
    market(address: $address) { address }
    obligation(address: $address) { owner { address } }
    token(mint: $address) { symbol }
  }
`);

/** Where an address leads: the route of a page, or why there is none. */
export type Found = { readonly route: string } | { readonly reason: string };

/** Base58 of 32 bytes. */
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** Asks the graph what an address is. Every other address can be a wallet. */
export async function findAddress(
  client: SluiceClient,
  address: string,
  signal: AbortSignal,
): Promise<Found> {
  if (!ADDRESS.test(address)) return { reason: 'This is not an address: paste 32 to 44 letters and digits.' };
  const { data, errors } = await client.query(FIND, { address }, { signal });
  const found = pageOf(data, address);
  if (found !== null) return found;
  // An address that could not be read now may be more than a wallet.
  const failure = errors.find(({ retryable }) => retryable);
  return failure === undefined ? { route: `/wallet/${address}` } : { reason: failure.message };
}

function pageOf(
  { vault, reserve, market, obligation, token }: ResultOf<typeof FIND>,
  address: string,
): Found | null {
  if (vault !== null) return { route: `/vaults/${address}` };
  if (reserve !== null) return { route: `/reserves/${address}` };
  if (market !== null) return { route: `/markets/${address}` };
  if (obligation !== null) return { route: `/wallet/${obligation.owner.address}` };
  if (token !== null)
    return { reason: `This is the mint of ${token.symbol ?? 'a token'}. Search the lists for it.` };
  return null;
}
