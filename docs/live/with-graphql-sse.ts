import { createClient } from 'graphql-sse';

/** One event of the stream below. Decimals are strings: parse them with a decimal library, never with `Number`. */
export interface VaultUpdate {
  readonly slot: string;
  readonly reason: 'INITIAL' | 'ACCOUNT' | 'PRICE' | 'ACCRUAL';
  readonly address: string;
  readonly vault: {
    readonly name: string;
    readonly totalValue: { readonly usd: string | null } | null;
  } | null;
}

const VAULTS = `subscription Vaults($addresses: [Address!]!) {
  vaults(addresses: $addresses) { slot reason address vault { name totalValue { usd } } }
}`;

export interface Follow {
  readonly gatewayUrl: string;
  readonly addresses: readonly string[];
  /** Called with each event. The first event of each vault has its current state. */
  readonly show: (update: VaultUpdate) => void;
  /** Called when a field cannot be read or the stream cannot be opened. */
  readonly fail: (problem: unknown) => void;
  readonly key?: string;
}

/** Follows vaults until the returned function is called. The client reconnects when the stream breaks. */
export function followVaults({ gatewayUrl, addresses, show, fail, key }: Follow): () => void {
  const client = createClient({
    url: new URL('/graphql', gatewayUrl).href,
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    retryAttempts: 1_000,
    retry: (retries) => new Promise((resolve) => setTimeout(resolve, Math.min(1_000 * 2 ** retries, 30_000))),
  });
  client.subscribe<{ vaults: VaultUpdate }>(
    { query: VAULTS, variables: { addresses } },
    {
      next({ data, errors }) {
        if (errors !== undefined) fail(errors);
        if (data) show(data.vaults);
      },
      error: fail,
      complete: () => undefined,
    },
  );
  return () => client.dispose();
}
