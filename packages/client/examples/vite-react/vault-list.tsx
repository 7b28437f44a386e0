import { Decimal, graphql } from '@sluice/client';
import { useLive, usePages } from '@sluice/client/react';
import type { ReactNode } from 'react';

/** The numbers that change. The list and the stream select the same fields, so that an event updates its row. */
const LIVE_VAULT = graphql(`
  fragment LiveVault on Vault @_unmask {
    id
    totalValue { usd }
    currentApy { total }
  }
`);

const VAULTS = graphql(
  `
    query Vaults($after: String) {
      vaults(first: 10, after: $after) {
        totalCount
        nodes { ...LiveVault address name token { symbol } }
        pageInfo { endCursor hasNextPage }
      }
    }
  `,
  [LIVE_VAULT],
);

const VAULT_UPDATES = graphql(
  `
    subscription VaultUpdates($addresses: [Address!]!) {
      vaults(addresses: $addresses) { slot vault { ...LiveVault } }
    }
  `,
  [LIVE_VAULT],
);

export function VaultList(): ReactNode {
  const { nodes, totalCount, hasNext, loadMore, isLoading, isLoadingMore, error, refetch } = usePages(
    VAULTS,
    {},
    { connection: (data) => data.vaults },
  );
  const addresses = nodes.map(({ address }) => address);
  const { event } = useLive(VAULT_UPDATES, { addresses }, { enabled: addresses.length > 0 });

  if (isLoading) return <p>Loading…</p>;
  return (
    <main>
      <h1>{totalCount} vaults</h1>
      {error !== null && (
        <p role="alert">
          {error.message}{' '}
          <button type="button" onClick={refetch}>
            Try again
          </button>
        </p>
      )}
      <table>
        <thead>
          <tr>
            <th>Name</th>
            <th>Token</th>
            <th>Value</th>
            <th>APY</th>
          </tr>
        </thead>
        <tbody>
          {nodes.map(({ id, name, token, totalValue, currentApy }) => (
            <tr key={id}>
              <td>{name}</td>
              <td>{token.symbol}</td>
              <Amount value={totalValue?.usd ?? null} style="usd" />
              <Amount value={currentApy?.total ?? null} style="percent" />
            </tr>
          ))}
        </tbody>
      </table>
      {hasNext && (
        <button type="button" onClick={loadMore} disabled={isLoadingMore}>
          Show more
        </button>
      )}
      <footer>Slot {event?.data.vaults.slot ?? '–'}</footer>
    </main>
  );
}

/** A number for people; the exact one is in the tooltip. */
function Amount({
  value,
  style,
}: {
  readonly value: string | null;
  readonly style: 'usd' | 'percent';
}): ReactNode {
  if (value === null) return <td>unknown</td>;
  return <td title={value}>{Decimal.of(value).format({ style })}</td>;
}
