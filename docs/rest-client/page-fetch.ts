import { dataOf, type Sluice } from './client.ts';
import { type PortfolioPage, pageOf } from './page.ts';
import type { components } from './sluice-rest.d.ts';

type ListedVaultMetrics = components['schemas']['ListedVaultMetrics'];
type UserObligation = components['schemas']['UserObligation'];

const PAGE_SIZE = 20;

/** The portfolio page with openapi-fetch, and types of openapi-typescript. */
export async function portfolioPage(client: Sluice, wallet: string): Promise<PortfolioPage> {
  const params = { path: { pubkey: wallet } };
  const [positions, rewards, metrics, obligations] = await Promise.all([
    dataOf(client.GET('/kvaults/users/{pubkey}/positions', { params })),
    dataOf(client.GET('/kvaults/rewards')),
    allMetrics(client),
    allObligations(client, wallet),
  ]);
  return pageOf({ positions, rewards, metrics, obligations });
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

async function allObligations(client: Sluice, userPubkey: string): Promise<UserObligation[]> {
  const markets = await dataOf(client.GET('/v2/svc-market'));
  const obligations = await Promise.all(
    markets.map(({ lendingMarket }) => {
      const path = { marketPubkey: lendingMarket, userPubkey };
      return dataOf(
        client.GET('/svc-market/{marketPubkey}/users/{userPubkey}/obligations', { params: { path } }),
      );
    }),
  );
  return obligations.flat();
}
