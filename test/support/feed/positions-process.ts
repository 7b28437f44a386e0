import { createHash, randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { POSITION_KINDS } from '../../../src/chain/positions/position-kinds.ts';
import type { View } from '../../../src/chain/view/view.ts';
import type { ChainRole, ReadFrom } from '../../../src/chain/view/view-feed.ts';
import { FeedChannel } from '../../../src/feed/feed-channel.ts';
import { FEED_TIMING } from '../../../src/feed/feed-timing.ts';
import { SharedViews } from '../../../src/feed/shared-views.ts';
import { CountingObserver, sealOf, TestChain } from './fed-chain.ts';
import { changeTo, closing, contentsOf, positionOf } from './feed-positions.ts';
import { VAULTS } from './feed-views.ts';

/** What the process reports of every View that it serves. */
export interface ServedView {
  readonly id: string;
  readonly role: ChainRole;
  /** Of its positions; null when it has none. */
  readonly digest: string | null;
  /** Times that positions were loaded from their snapshot so far. */
  readonly loads: number;
}

/** What the parent may ask for: the reader loses its positions, or reads them anew. */
export type Order = 'LOSE' | 'LOAD';

const ACCOUNTS = 120;
const CHANGES = 6;
const VIEW_MS = 100;
const NAME = 'positions of processes';

const { values } = parseArgs({ options: { redis: { type: 'string', default: '' } } });

const random = (below: number) => randomBytes(4).readUInt32LE() % below;
const randomPosition = (n: number, slot: bigint) =>
  positionOf(POSITION_KINDS[n % POSITION_KINDS.length] ?? 'obligation', n, BigInt(random(1_000_000)), slot);

/** A chain that goes on while it is read. A new reader goes on with the positions that it followed. */
class WalkingChain extends TestChain {
  feed: SharedViews | null = null;
  #timer: NodeJS.Timeout | null = null;
  #building: Promise<void> = Promise.resolve();
  #origin = '';
  #slot = 10n;

  override startReading(from: ReadFrom): void {
    this.#origin = randomBytes(4).toString('hex');
    for (const slot of [from.slot, from.highestSlot, this.views.newest?.moment.slot ?? 0n])
      if (slot > this.#slot) this.#slot = slot;
    this.positions.suspend();
    void this.loadAnew();
    this.#timer = setInterval(() => {
      this.#building = this.#building.then(() => this.#next());
    }, VIEW_MS);
  }

  override async stopReading(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    await this.#building;
    this.positions.rollback(this.views.newest?.positions ?? null);
  }

  async loadAnew(): Promise<void> {
    await this.positions.load(
      this.#slot,
      Array.from({ length: ACCOUNTS }, (_, n) => randomPosition(n, this.#slot)),
    );
  }

  async #next(): Promise<void> {
    if (this.#timer === null) return;
    this.#slot += 3n;
    this.catalogue.put(VAULTS[0], this.#slot, this.#slot);
    for (let i = 0; i < CHANGES; i += 1) {
      const next = randomPosition(random(ACCOUNTS), this.#slot);
      this.positions.apply(random(5) === 0 ? closing(next, this.#slot) : changeTo(next));
    }
    const { moment } = this.build(this.#slot, this.#origin);
    const view = this.catalogue.builder.view(
      { ...moment, builtAtMs: Date.now() },
      this.positions.snapshot(this.#slot),
    );
    if (await this.feed?.admit(view)) this.views.publish(view);
  }
}

/** A Redis that is gone is what the test is about. */
class QuietObserver extends CountingObserver {
  override failed(): void {}
}

const chain = new WalkingChain();
const observer = new QuietObserver();
const seal = sealOf(NAME);
const feed = new SharedViews({
  chain,
  channel: new FeedChannel({
    url: values.redis,
    name: NAME,
    seal,
    leaseMs: FEED_TIMING.leaseMs,
    timeoutMs: FEED_TIMING.redisTimeoutMs,
    maxEntries: 64,
  }),
  observer,
  seal,
  holder: String(process.pid),
  snapshotEvery: 32,
  refreshMs: VIEW_MS,
  timing: FEED_TIMING,
});
chain.feed = feed;
chain.views.onView((view: View) => {
  const contents = contentsOf(view.positions);
  const digest = contents === null ? null : createHash('sha256').update(contents.join('\n')).digest('base64');
  const served: ServedView = {
    id: view.moment.id,
    role: feed.role,
    digest,
    loads: observer.positionLoads,
  };
  process.send?.(served);
});
process.on('message', (order: Order) => {
  if (order === 'LOSE') chain.positions.lose();
  else void chain.loadAnew();
});
process.on('disconnect', () => process.exit());
feed.start();
