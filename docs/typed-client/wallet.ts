import { initGraphQLTada, type ResultOf } from 'gql.tada';
import { print } from 'graphql';
import type { introspection } from './graphql-env.d.ts';

const graphql = initGraphQLTada<{
  introspection: introspection;
  scalars: { Address: string; BigInt: string; Decimal: string; U64: string; DateTime: string };
}>();

const WALLET = graphql(`
  query Wallet($wallet: Address!) {
    wallet(address: $wallet) {
      vaultPositions { nodes { totalShares value { baseUnits usd token { symbol } } vault { name currentApy { total } } } }
      obligations { nodes { healthFactor deposits { amount { usd } } } }
    }
  }
`);

export type WalletResult = ResultOf<typeof WALLET>;

/** The values of a wallet's vault positions in USD; null where no price is known. */
export async function positionValues(url: string, wallet: string): Promise<(string | null)[]> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: print(WALLET), variables: { wallet } }),
  });
  const { data } = (await response.json()) as { data: WalletResult };
  return data.wallet.vaultPositions?.nodes.map(({ value }) => value?.usd ?? null) ?? [];
}
