import { graphql, type SluiceClient } from '@sluice/client';

const VALUES = graphql(`
  subscription Values($addresses: [Address!]!) {
    vaults(addresses: $addresses) { address slot reason vault { totalValue { usd } } }
  }
`);

/** Shows the value of vaults until the signal is aborted. */
export async function followVaults(
  client: SluiceClient,
  addresses: string[],
  signal: AbortSignal,
  show: (address: string, usd: string | null) => void,
  showConnection: (isLive: boolean) => void,
): Promise<void> {
  const events = client.subscribe(
    VALUES,
    { addresses },
    {
      signal,
      onState: ({ status }) => showConnection(status === 'open'),
    },
  );
  for await (const { data } of events) show(data.vaults.address, data.vaults.vault?.totalValue?.usd ?? null);
}
