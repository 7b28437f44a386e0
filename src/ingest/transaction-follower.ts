import { presentAddress } from '@sluice/protocol/program-ids';
import { systemClock } from '@sluice/rpc-pool';
import type { Address } from '@solana/kit';
import type { Chain } from '../chain/chain.ts';
import type { View } from '../chain/view/view.ts';
import { isCodedError } from '../errors/sluice-error.ts';
import type { Leadership } from '../store/leases/leadership.ts';
import type { Ingestion } from './ingestion.ts';
import type { StreamFollower } from './stream/stream-follower.ts';

export interface TransactionFollowerOptions {
  readonly ingestion: Ingestion;
  readonly chain: Chain;
  /** Shared with the recorder: asking again returns the same fencing token. */
  readonly leadership: Leadership;
  readonly onFailure: (what: string, error: unknown) => void;
  /** Delivers the transactions with the programs as they come; null where there is none. */
  readonly stream?: Pick<StreamFollower, 'follow' | 'streamedSince' | 'stop'> | null;
  /** Interval between checks for changes. */
  readonly pollMs?: number;
}

/** A followed address and the slot in which its account last changed, which most of its transactions do. */
interface Followed {
  readonly address: Address;
  readonly changedSlot: bigint;
  readonly idleMs: number;
}

interface LastRead {
  readonly atMs: number;
  /** The list was read up to this final slot; null when that failed. */
  readonly upToSlot: bigint | null;
  readonly changedSlot: bigint;
  /** Read on every poll until then, when confirmed transactions have become final. */
  readonly watchUntilMs: number;
}

const POLL_MS = 2_000;
const CONFIRM_MS = 15_000;
/** A share transfer changes no account in the View, so the list itself must be polled. */
const IDLE_SHARES_MS = 10_000;
const IDLE_MS = 60_000;
const WATCH_MS = 40_000;
/** What a stream delivers is compared with the lists at this interval. */
const AUDIT_MS = 600_000;
/** Small, so that an address that changes meanwhile is read soon. */
const ADDRESSES_PER_BATCH = 6;

/**
 * Follows the transactions of every vault: its address, its share mint and its farm. An address whose account
 * changed is read at once, the others periodically; older history is read in between, one address at a time. While a stream
 * delivers them, the lists are only read to check it.
 */
export class TransactionFollower {
  readonly #options: TransactionFollowerOptions;
  readonly #stop = new AbortController();
  readonly #lastReads = new Map<Address, LastRead>();
  readonly #complete = new Set<Address>();
  #running: Promise<void> = Promise.resolve();
  #older: Promise<void> | null = null;
  #fence: bigint | null = null;
  #confirmedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: TransactionFollowerOptions) {
    this.#options = options;
    options.leadership.onLoss(() => {
      this.#fence = null;
    });
  }

  start(): void {
    this.#running = this.#loop();
  }

  /** Ends after the page being written. Stop it before the leadership is resigned. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.#older;
    await this.#options.stream?.stop();
  }

  async #loop(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await this.#poll();
      } catch (error) {
        if (isCodedError(error, 'NOT_LEADER')) this.#fence = null;
        if (!signal.aborted) this.#options.onFailure('following transactions', error);
      }
      await systemClock.sleep(this.#options.pollMs ?? POLL_MS, signal).catch(() => {});
    }
  }

  async #poll(): Promise<void> {
    const { chain, stream } = this.#options;
    const fence = await this.#lead();
    const view = chain.views.newest;
    if (fence === null) await stream?.stop();
    if (fence === null || view === undefined) return;
    stream?.follow(fence, shareMintsIn(view));
    const followed = followedIn(view);
    const due = followed.filter((each) => this.#isDue(each));
    if (due.length > 0) await this.#read(due, fence);
    this.#older ??= this.#readOlder(followed, fence)
      .catch((error: unknown) => this.#options.onFailure('reading older transactions', error))
      .finally(() => {
        this.#older = null;
      });
  }

  async #read(due: readonly Followed[], fence: bigint): Promise<void> {
    const { ingestion } = this.#options;
    const { signal } = this.#stop;
    for (let i = 0; i < due.length && !signal.aborted; i += ADDRESSES_PER_BATCH) {
      const finalizedSlot = await ingestion.source.transactions.finalizedSlot(signal);
      const batch = due.slice(i, i + ADDRESSES_PER_BATCH);
      await Promise.all(
        batch.map(async (each) => {
          const isRead = await ingestion.follow(each.address, { fence, finalizedSlot, back: false });
          this.#recordRead(each, isRead ? finalizedSlot : null);
        }),
      );
    }
  }

  async #readOlder(followed: readonly Followed[], fence: bigint): Promise<void> {
    const { ingestion } = this.#options;
    for (const { address } of followed) {
      if (this.#stop.signal.aborted) return;
      if (this.#complete.has(address) || !this.#lastReads.has(address)) continue;
      await ingestion.follow(address, { fence, back: true });
      if ((await ingestion.status([address])).reachedStart) this.#complete.add(address);
    }
  }

  #isDue({ address, changedSlot, idleMs }: Followed): boolean {
    const last = this.#lastReads.get(address);
    const now = systemClock.now();
    const since = this.#options.stream?.streamedSince(address) ?? null;
    // The list is read up to where the stream began, and compared with it from then on.
    if (since !== null && last !== undefined && last.upToSlot !== null)
      return last.upToSlot < since - 1n || now - last.atMs >= AUDIT_MS;
    return (
      last === undefined ||
      last.changedSlot !== changedSlot ||
      now < last.watchUntilMs ||
      now - last.atMs >= idleMs
    );
  }

  #recordRead({ address, changedSlot }: Followed, upToSlot: bigint | null): void {
    const before = this.#lastReads.get(address);
    const now = systemClock.now();
    // Transactions from before the first read are, as a rule, long final.
    const changed = before !== undefined && before.changedSlot !== changedSlot;
    const watchUntilMs = changed ? now + WATCH_MS : (before?.watchUntilMs ?? 0);
    this.#lastReads.set(address, { atMs: now, upToSlot, changedSlot, watchUntilMs });
  }

  async #lead(): Promise<bigint | null> {
    const now = systemClock.now();
    if (this.#fence !== null && now - this.#confirmedAtMs < CONFIRM_MS) return this.#fence;
    this.#fence = await this.#options.leadership.tryLead();
    this.#confirmedAtMs = now;
    return this.#fence;
  }
}

function shareMintsIn(view: View): Address[] {
  return [...view.all('vault').values()].map(({ value }) => value.sharesMint).sort();
}

function followedIn(view: View): Followed[] {
  return [...view.all('vault').values()].flatMap(({ address, slot, value }): Followed[] => {
    const farm = presentAddress(value.vaultFarm);
    const shares = value.sharesMint;
    return [
      { address, changedSlot: slot, idleMs: IDLE_MS },
      { address: shares, changedSlot: view.get('mint', shares)?.slot ?? 0n, idleMs: IDLE_SHARES_MS },
      ...(farm === null
        ? []
        : [{ address: farm, changedSlot: view.get('farm', farm)?.slot ?? 0n, idleMs: IDLE_MS }]),
    ];
  });
}
