import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { Chain } from '../../src/chain/chain.ts';
import { PositionKeeper } from '../../src/chain/positions/position-keeper.ts';
import { KINDS } from '../../src/chain/view/kinds.ts';
import { type Catalogue, View } from '../../src/chain/view/view.ts';
import type { FedChain } from '../../src/chain/view/view-feed.ts';
import { ViewStore } from '../../src/chain/view/view-store.ts';
import type { FeedObserver } from '../../src/feed/feed-observer.ts';
import { FEED_TIMING } from '../../src/feed/feed-timing.ts';
import { SharedViews } from '../../src/feed/shared-views.ts';
import { LEASE_MS, openFeed } from './fed-positions.ts';
import { parseCounts, SyntheticPositions } from './synthetic-positions.ts';

/** What the process tells its parent every second. */
export interface ReaderReport {
  readonly residentBytes: number;
  readonly cpuSeconds: number;
  readonly sentBytes: number;
  readonly views: number;
  /** Milliseconds that the positions took to make; null before. */
  readonly madeMs: number | null;
  /** Longest time that the event loop was held. */
  readonly heldMs: number;
}

const SNAPSHOT_EVERY = 32;

/**
 * Reads the catalogue from the RPC and publishes it with synthetic positions, of which some change in every View, as the reader
 * of a stream would. Positions of the reader of a fleet come from here because the localnet has no wallets in such numbers.
 */
const { values } = parseArgs({
  options: {
    redis: { type: 'string', default: '' },
    rpc: { type: 'string', default: '' },
    positions: { type: 'string', default: '' },
    /** Accounts that change in each View. */
    changes: { type: 'string', default: '' },
    /** Milliseconds between two Views. */
    slot: { type: 'string', default: '' },
  },
});
const refreshMs = Number(values.slot);
const { config, seal, open } = await openFeed(values.redis, values.rpc);
const chain = new Chain({
  rpcUrls: [values.rpc],
  wsUrls: [],
  programs: config.programs,
  cluster: config.SOLANA_CLUSTER,
  commitment: config.SOLANA_COMMITMENT,
  viewRefreshMs: refreshMs,
  vaultRefreshMs: config.VAULT_REFRESH_MS,
  discoveryIntervalMs: config.DISCOVERY_INTERVAL_MS,
  viewsKept: config.VIEWS_KEPT,
  rpcTimeoutMs: config.RPC_TIMEOUT_MS,
  rpcMaxAttempts: config.RPC_MAX_ATTEMPTS,
  rpcConcurrency: config.RPC_CONCURRENCY,
});
const keeper = new PositionKeeper(config.programs);
const store = new ViewStore(config.VIEWS_KEPT);
let synthetic: SyntheticPositions | null = null;
let madeMs: number | null = null;
let [sentBytes, views] = [0, 0];
const delay = monitorEventLoopDelay();
delay.enable();
let isReading = false;
let publishing = Promise.resolve();

const fed: FedChain = {
  views: store,
  programs: config.programs,
  lastError: null,
  timesDiscarded: 0,
  isUnchecked: false,
  startReading: () => {
    isReading = true;
  },
  stopReading: async () => {
    isReading = false;
  },
  adopt: () => {
    throw new Error('the process that reads has lost the lease: the machine is too busy');
  },
  reach: (slot, signal) => store.reaching(slot, 'slotWhole', signal),
  probe: (signal) => chain.probe(signal),
  believes: async () => true,
  review: async () => undefined,
};

const observer: FeedObserver = {
  roleChanged: () => undefined,
  sent: (bytes) => {
    sentBytes += bytes;
  },
  received: () => undefined,
  snapshotTaken: () => undefined,
  positionsLoaded: () => undefined,
  refused: (reason) => void process.stderr.write(`the reader: ${reason}\n`),
  failed: (failure) => void process.stderr.write(`the reader: ${String(failure)}\n`),
};
const feed = new SharedViews({
  chain: fed,
  channel: open(),
  observer,
  seal,
  holder: 'bench',
  snapshotEvery: SNAPSHOT_EVERY,
  refreshMs,
  timing: { ...FEED_TIMING, leaseMs: LEASE_MS },
});

async function publish(view: View): Promise<void> {
  const { slot } = view.moment;
  const newest = store.newest?.positions;
  if (newest && synthetic !== null) {
    for (const change of synthetic.changes(Number(values.changes), newest, slot)) keeper.apply(change);
  }
  const catalogue = Object.fromEntries(KINDS.map((kind) => [kind, view.all(kind)])) as unknown as Catalogue;
  const broken = new Map(KINDS.map((kind) => [kind, view.unreadable(kind)]));
  const made = new View(view.moment, catalogue, broken, keeper.snapshot(slot));
  if (!isReading || !(await feed.admit(made))) return;
  store.publish(made);
  views += 1;
}

chain.views.onView((view) => {
  publishing = publishing.then(() => publish(view));
  if (synthetic !== null) return;
  synthetic = new SyntheticPositions(parseCounts(values.positions), view, config.programs);
  const startedAt = performance.now();
  void keeper.load(view.moment.slot, synthetic.all(view.moment.slot)).then(() => {
    madeMs = performance.now() - startedAt;
  });
});
chain.start();
feed.start();

setInterval(() => {
  const { user, system } = process.cpuUsage();
  const report: ReaderReport = {
    residentBytes: process.memoryUsage.rss(),
    cpuSeconds: (user + system) / 1e6,
    sentBytes,
    views,
    madeMs,
    heldMs: delay.max / 1e6,
  };
  process.send?.(report);
}, 1_000);
