import type { Address } from '@solana/kit';
import type { Chain } from '../chain/chain.ts';
import { systemClock } from '../chain/rpc/clock.ts';
import type { View } from '../chain/view.ts';
import { isSluiceError } from '../errors/sluice-error.ts';
import { presentAddress } from '../programs/program-ids.ts';
import type { Leadership } from '../store/history/leadership.ts';
import type { Ingestion } from './ingestion.ts';

export interface TransactionFollowerOptions {
  readonly ingestion: Ingestion;
  readonly chain: Chain;
  /** The recorder's own: asking again gives the same fence. */
  readonly leadership: Leadership;
  readonly onFailure: (what: string, error: unknown) => void;
  /** How often it looks at what has changed. */
  readonly lookMs?: number;
}

/** An address that is followed, and the slot of its account's bytes: they change with most of its transactions. */
interface Followed {
  readonly address: Address;
  readonly changedSlot: bigint;
  readonly idleMs: number;
}

interface Visit {
  readonly atMs: number;
  readonly changedSlot: bigint;
  /** Looked at every time until then: what is confirmed has become final by then. */
  readonly hotUntilMs: number;
}

const LOOK_MS = 2_000;
const CONFIRM_MS = 15_000;
/** A transfer of shares changes nothing that the View holds, so the list itself must be looked at. */
const IDLE_SHARES_MS = 10_000;
const IDLE_MS = 60_000;
const HOT_MS = 40_000;
/** Few enough that a request, which waits in the same line, is not kept waiting. */
const AT_ONCE = 6;

/**
 * Follows the transactions of every vault: its own address, its shares and its farm. An address whose account changed is
 * read at once, the others now and then; what lies before is read back in the pauses, one address at a time.
 */
export class TransactionFollower {
  readonly #options: TransactionFollowerOptions;
  readonly #stop = new AbortController();
  readonly #visits = new Map<Address, Visit>();
  readonly #whole = new Set<Address>();
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

  /** Ends after the page that is being written. Stop it before whoever resigns the leadership. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.#older;
  }

  async #loop(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await this.#look();
      } catch (error) {
        if (isSluiceError(error, 'RECORDER_NOT_LEADER')) this.#fence = null;
        if (!signal.aborted) this.#options.onFailure('following transactions', error);
      }
      await systemClock.sleep(this.#options.lookMs ?? LOOK_MS, signal).catch(() => {});
    }
  }

  async #look(): Promise<void> {
    const fence = await this.#lead();
    const view = this.#options.chain.views.newest;
    if (fence === null || view === undefined) return;
    const followed = followedIn(view);
    const due = followed.filter((each) => this.#isDue(each));
    if (due.length > 0) await this.#visit(due, fence);
    this.#older ??= this.#readOlder(followed, fence)
      .catch((error: unknown) => this.#options.onFailure('reading older transactions', error))
      .finally(() => {
        this.#older = null;
      });
  }

  async #visit(due: readonly Followed[], fence: bigint): Promise<void> {
    const { ingestion } = this.#options;
    const { signal } = this.#stop;
    for (let i = 0; i < due.length && !signal.aborted; i += AT_ONCE) {
      const finalizedSlot = await ingestion.source.transactions.finalizedSlot(signal);
      const some = due.slice(i, i + AT_ONCE);
      await Promise.all(
        some.map(({ address }) => ingestion.read(address, { fence, finalizedSlot, back: false })),
      );
      for (const each of some) this.#note(each);
    }
  }

  async #readOlder(followed: readonly Followed[], fence: bigint): Promise<void> {
    const { ingestion } = this.#options;
    for (const { address } of followed) {
      if (this.#stop.signal.aborted) return;
      if (this.#whole.has(address) || !this.#visits.has(address)) continue;
      await ingestion.read(address, { fence, back: true });
      if ((await ingestion.status([address])).reachedStart) this.#whole.add(address);
    }
  }

  #isDue({ address, changedSlot, idleMs }: Followed): boolean {
    const visit = this.#visits.get(address);
    const now = systemClock.now();
    return (
      visit === undefined ||
      visit.changedSlot !== changedSlot ||
      now < visit.hotUntilMs ||
      now - visit.atMs >= idleMs
    );
  }

  #note({ address, changedSlot }: Followed): void {
    const before = this.#visits.get(address);
    const now = systemClock.now();
    // What was there before the first visit has long been final, as a rule.
    const changed = before !== undefined && before.changedSlot !== changedSlot;
    const hotUntilMs = changed ? now + HOT_MS : (before?.hotUntilMs ?? 0);
    this.#visits.set(address, { atMs: now, changedSlot, hotUntilMs });
  }

  async #lead(): Promise<bigint | null> {
    const now = systemClock.now();
    if (this.#fence !== null && now - this.#confirmedAtMs < CONFIRM_MS) return this.#fence;
    this.#fence = await this.#options.leadership.tryLead();
    this.#confirmedAtMs = now;
    return this.#fence;
  }
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
