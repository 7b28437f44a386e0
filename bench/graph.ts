import { type App, createApp } from '../src/app/app.ts';
import { loadConfig } from '../src/config/config.ts';
import { startLocalnetProcess } from './localnet-process.ts';
import { printTable } from './measure.ts';

const NESTED = `query ($first: Int!) { vaults(first: $first) { nodes {
  name token { symbol price { usd } } totalValue { amount usd } currentApy { total base farmRewards }
  allocations { actualShare invested { amount usd } reserve { supplyApy { total } utilization market { name } token { symbol price { usd } } } }
} } }`;
const WALLET = `query ($wallet: Address!) { wallet(address: $wallet) {
  vaultPositions { nodes { totalShares value { usd } vault { name currentApy { total } allocations { reserve { market { name } token { symbol price { usd } } } } } } }
  obligations { nodes { healthFactor deposits { amount { usd } reserve { token { symbol } } } borrows { amount { usd } reserve { token { symbol } } } } }
} }`;
const ONE_VAULT = `query ($vault: Address!) { vault(address: $vault) { name totalValue { usd } currentApy { total } allocations { reserve { supplyApy { total } } } } }`;

interface Answer {
  readonly ms: number;
  readonly bytes: number;
}

async function ask(app: App, query: string, variables: Record<string, unknown>): Promise<Answer> {
  const started = performance.now();
  const response = await app.fetch(
    new Request('http://bench/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    }),
  );
  const text = await response.text();
  if (text.includes('"errors"')) throw new Error(text.slice(0, 500));
  return { ms: performance.now() - started, bytes: text.length };
}

/** Median of many answers on one View, with everything that is computed once per View already computed. */
async function median(
  app: App,
  query: string,
  variables: Record<string, unknown>,
  rounds: number,
): Promise<Answer> {
  const answers: Answer[] = [];
  for (let i = 0; i < rounds; i += 1) answers.push(await ask(app, query, variables));
  answers.sort((a, b) => a.ms - b.ms);
  return answers[Math.floor(rounds / 2)] as Answer;
}

async function measure(scale: number): Promise<string[][]> {
  const chain = await startLocalnetProcess(scale);
  // One View for the whole run: the bench measures answers, not refreshes.
  const app = await createApp(
    loadConfig({
      SOLANA_RPC_URLS: chain.url,
      SOLANA_CLUSTER: 'localnet',
      VIEW_REFRESH_MS: '600000',
      LOG_LEVEL: 'silent',
      RATE_LIMIT: '0',
    }),
  );
  try {
    if (app.chain.views.newest === undefined)
      await new Promise<void>((resolve) => app.chain.views.onView(() => resolve()));
    const rows: string[][] = [];
    const row = async (name: string, query: string, variables: Record<string, unknown>, rounds: number) => {
      const cold = await ask(app, query, variables);
      const warm = await median(app, query, variables, rounds);
      rows.push([
        `${name}, world x${scale}`,
        cold.ms.toFixed(1),
        warm.ms.toFixed(1),
        (warm.bytes / 1000).toFixed(1),
      ]);
    };
    await row('10 vaults, nested', NESTED, { first: 10 }, 15);
    await row('50 vaults, nested', NESTED, { first: 50 }, 9);
    if (scale >= 4) await row('100 vaults, nested', NESTED, { first: 100 }, 7);
    await row('one vault', ONE_VAULT, { vault: chain.addresses.vault }, 41);
    await row('one wallet (reads the chain)', WALLET, { wallet: chain.addresses.wallet }, 15);
    return rows;
  } finally {
    await app.stop();
    chain.stop();
  }
}

/** Time and size of answers on a world of size 1 and of size 10. */
export async function run(): Promise<void> {
  const rows = [['query', 'first ms', 'warm ms', 'KB'], ...(await measure(1)), ...(await measure(10))];
  printTable(rows);
}
