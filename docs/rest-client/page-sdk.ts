import { type PortfolioPage, pageOf } from './page.ts';
import {
  type ListedVaultMetrics,
  listMarketConfigs,
  listUserObligations,
  listUserVaultPositions,
  listVaultMetrics,
  listVaultRewards,
  type UserObligation,
} from './sluice-sdk';
import { createClient } from './sluice-sdk/client';

const PAGE_SIZE = 20;

type Client = ReturnType<typeof createClient>;

/** A client of the gateway at a URL. */
export const sluice = (baseUrl: string): Client => createClient({ baseUrl });

/** Options of a call that throws the body of an error response. */
const by = (client: Client) => ({ client, throwOnError: true }) as const;

/** The portfolio page with the functions that @hey-api/openapi-ts generates. */
export async function portfolioPage(client: Client, wallet: string): Promise<PortfolioPage> {
  const path = { pubkey: wallet };
  const [{ data: positions }, { data: rewards }, metrics, obligations] = await Promise.all([
    listUserVaultPositions({ ...by(client), path }),
    listVaultRewards(by(client)),
    allMetrics(client),
    allObligations(client, wallet),
  ]);
  return pageOf({ positions, rewards, metrics, obligations });
}

/** Every page of the metrics. The last one has no token. */
async function allMetrics(client: Client): Promise<ListedVaultMetrics[]> {
  const metrics: ListedVaultMetrics[] = [];
  let paginationToken: string | undefined;
  do {
    const query = { limit: PAGE_SIZE, ...(paginationToken && { paginationToken }) };
    const { data: page } = await listVaultMetrics({ ...by(client), query });
    metrics.push(...page.result);
    paginationToken = page.paginationToken;
  } while (paginationToken !== undefined);
  return metrics;
}

async function allObligations(client: Client, userPubkey: string): Promise<UserObligation[]> {
  const { data: markets } = await listMarketConfigs(by(client));
  const obligations = await Promise.all(
    markets.map(async ({ lendingMarket }) => {
      const path = { marketPubkey: lendingMarket, userPubkey };
      const { data } = await listUserObligations({ ...by(client), path });
      return data;
    }),
  );
  return obligations.flat();
}
