import { Sender } from './send.ts';

/** Browses like one person for some time. */
export interface BrowseOrder {
  readonly url: string;
  readonly client: string;
  readonly wallet: string;
  readonly ms: number;
}

export interface Browsed {
  /** Times of pages that come from the View. */
  readonly pagesMs: readonly number[];
  /** Times of pages that read a wallet from the chain. */
  readonly walletsMs: readonly number[];
  readonly failed: number;
}

const PAUSE_MS = 15;
/** Every fifth page shows the wallet. */
const WALLET_EVERY = 5;

async function browse({ url, client, wallet, ms }: BrowseOrder): Promise<Browsed> {
  const sender = new Sender(url);
  const [pagesMs, walletsMs]: [number[], number[]] = [[], []];
  let failed = 0;
  const until = performance.now() + ms;
  // On a gateway that hardly answers, one page of each kind is the result.
  for (let i = 0; i < WALLET_EVERY || performance.now() < until; i += 1) {
    const isWallet = i % WALLET_EVERY === WALLET_EVERY - 1;
    const target = isWallet ? `/kvaults/users/${wallet}/positions` : i % 2 === 0 ? '/kvaults/summary' : null;
    const query = `query Page${i} { vaults(first: 10) { nodes { name totalValue { usd } } } }`;
    const page =
      target === null
        ? { method: 'POST' as const, target: '/graphql', body: JSON.stringify({ query }) }
        : { method: 'GET' as const, target, body: null };
    const answered = await sender.send(page, client);
    if (answered.status !== 200) failed += 1;
    (isWallet ? walletsMs : pagesMs).push(answered.ms);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  sender.close();
  return { pagesMs, walletsMs, failed };
}

process.on('message', async (order) => process.send?.(await browse(order as BrowseOrder)));
process.once('disconnect', () => process.exit());
