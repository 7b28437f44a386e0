import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { PositionKeeper } from '../../../src/chain/positions/position-keeper.ts';
import type { View } from '../../../src/chain/view/view.ts';
import type { FedChain, ReadFrom, SharedClaim } from '../../../src/chain/view/view-feed.ts';
import { ViewStore } from '../../../src/chain/view/view-store.ts';
import type { FeedObserver, FeedRefusal } from '../../../src/feed/feed-observer.ts';
import { FeedSeal } from '../../../src/feed/feed-seal.ts';
import { vaultCatalogue } from './feed-views.ts';

/** Secret of the gateways in tests. */
export const FEED_SECRET = 'a secret of 32 characters or more';
export const sealOf = (feed: string) => new FeedSeal(FEED_SECRET, feed);

/** A chain whose Views the test builds or a feed brings. */
export class TestChain implements FedChain {
  readonly views = new ViewStore(100);
  readonly programs = MAINNET_PROGRAMS;
  readonly lastError = null;
  timesDiscarded = 0;
  readonly catalogue = vaultCatalogue();
  readonly positions = new PositionKeeper(MAINNET_PROGRAMS);
  #number = 0;

  /** A View of what the catalogue holds now. The feed decides whether it is served. */
  build(slot: bigint, origin = 'test'): View {
    this.#number += 1;
    const view = this.catalogue.view(this.#number, slot);
    const moment = { ...view.moment, id: `${origin}-${this.#number}` };
    return this.catalogue.builder.view(moment, this.positions.snapshot(slot));
  }

  adopt: FedChain['adopt'] = (update) => {
    this.#number += 1;
    this.catalogue.builder.adopt(update);
    const { positions } = update;
    if (positions?.state === 'loaded') this.positions.adopt(positions.table);
    if (positions?.state === 'changed') this.positions.continue(positions.changes);
    if (positions?.state === 'suspended') this.positions.suspend();
    if (positions?.state === 'lost') this.positions.lose();
    const moment = { ...update.moment, number: this.#number };
    const view = this.catalogue.builder.view(moment, this.positions.snapshot(moment.slot));
    this.views.publish(view);
    return view;
  };

  startReading(_from: ReadFrom): void {}
  async stopReading(): Promise<void> {}
  /** The slot of the chain's own RPC. */
  reached = 0n;
  /** The highest slot that the chain can have come to. */
  limit: bigint | null = null;
  readonly isUnchecked = false;
  reviews = 0;
  async probe(): Promise<bigint> {
    return this.reached;
  }
  async believes({ slot }: SharedClaim): Promise<boolean> {
    return this.limit === null || slot <= this.limit;
  }
  async review(): Promise<void> {
    this.reviews += 1;
  }
  async reach(): Promise<View> {
    return this.views.current();
  }
}

/** Counts what a feed reports. */
export class CountingObserver implements FeedObserver {
  readonly refusals: FeedRefusal[] = [];
  snapshots = 0;
  positionLoads = 0;
  sentBytes: number[] = [];

  refused(reason: FeedRefusal): void {
    this.refusals.push(reason);
  }
  snapshotTaken(): void {
    this.snapshots += 1;
  }
  positionsLoaded(): void {
    this.positionLoads += 1;
  }
  sent(bytes: number): void {
    this.sentBytes.push(bytes);
  }
  roleChanged(): void {}
  received(): void {}
  failed(failure: unknown): void {
    throw failure;
  }
}
