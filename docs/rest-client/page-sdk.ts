import { marketsOf, type PortfolioPage, pageOf } from './page.ts';
import {
  getPortfolio,
  getPortfolioRewards,
  type ListedVaultMetrics,
  listUserObligations,
  listVaultMetrics,
} from './sluice-sdk';
import { createClient } from './sluice-sdk/client';

type Client = ReturnType<typeof createClient>;

/** A client of the gateway at a URL. */
export const sluice = (baseUrl: string): Client => createClient({ baseUrl });

/** Options of a call that throws the body of an error response. */
const by = (client: Client) => ({ client, throwOnError: true }) as const;

const PAGE_SIZE = 20;

/** The portfolio page with the functions that @hey-api/openapi-ts generates. */
export async function portfolioPage(client: Client, wallet: string): Promise<PortfolioPage> {
  const [{ data: portfolio }, { data: rewards }, metrics] = await Promise.all([
    getPortfolio({ ...by(client), path: { wallet } }),
    getPortfolioRewards({ ...by(client), path: { wallet } }),
    allMetrics(client),
  ]);
  const obligations = await Promise.all(
    marketsOf(portfolio).map(async (marketPubkey) => {
      const { data } = await listUserObligations({
        ...by(client),
        path: { marketPubkey, userPubkey: wallet },
      });
      return data;
    }),
  );
  return pageOf({ portfolio, rewards, metrics, obligations: obligations.flat() });
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
