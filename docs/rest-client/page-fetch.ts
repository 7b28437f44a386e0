import { dataOf, type Sluice } from './client.ts';
import { marketsOf, type PortfolioPage, pageOf } from './page.ts';
import type { components } from './sluice-rest.d.ts';

type ListedVaultMetrics = components['schemas']['ListedVaultMetrics'];

const PAGE_SIZE = 20;

/** The portfolio page with openapi-fetch, and types of openapi-typescript. */
export async function portfolioPage(client: Sluice, wallet: string): Promise<PortfolioPage> {
  const [portfolio, rewards, metrics] = await Promise.all([
    dataOf(client.GET('/portfolio/{wallet}', { params: { path: { wallet } } })),
    dataOf(client.GET('/portfolio/{wallet}/rewards', { params: { path: { wallet } } })),
    allMetrics(client),
  ]);
  const obligations = await Promise.all(
    marketsOf(portfolio).map((marketPubkey) =>
      dataOf(
        client.GET('/svc-market/{marketPubkey}/users/{userPubkey}/obligations', {
          params: { path: { marketPubkey, userPubkey: wallet } },
        }),
      ),
    ),
  );
  return pageOf({ portfolio, rewards, metrics, obligations: obligations.flat() });
}

/** Every page of the metrics. The last one has no token. */
async function allMetrics(client: Sluice): Promise<ListedVaultMetrics[]> {
  const metrics: ListedVaultMetrics[] = [];
  let paginationToken: string | undefined;
  do {
    const query = { limit: PAGE_SIZE, ...(paginationToken && { paginationToken }) };
    const page = await dataOf(client.GET('/kvaults/vaults/metrics', { params: { query } }));
    metrics.push(...page.result);
    paginationToken = page.paginationToken;
  } while (paginationToken !== undefined);
  return metrics;
}
