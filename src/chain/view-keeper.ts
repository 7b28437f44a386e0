import type { Address, Commitment } from '@solana/kit';
import type { ErrorCode } from '../errors/codes.ts';
import { isSluiceError } from '../errors/sluice-error.ts';
import type { ProgramIds } from '../programs/program-ids.ts';
import type { AccountPage, ChainAccount } from './account-page.ts';
import type { AccountReader } from './account-reader.ts';
import { CatalogueBuilder, type WantedAccount } from './catalogue.ts';
import { DEFAULT_SLOT_MS, type DiscoveryRpc, discoverAddresses, measureSlotDuration } from './discovery.ts';
import { type Decoders, decodersFor, KINDS, type Kind } from './kinds.ts';
import { readLinked } from './read-linked.ts';
import { systemClock } from './rpc/clock.ts';
import { deadlineSignal } from './rpc/deadline.ts';
import type { View, ViewMoment } from './view.ts';
import type { ViewStore } from './view-store.ts';

export interface ViewKeeperOptions {
  readonly rpc: DiscoveryRpc;
  readonly reader: AccountReader;
  readonly store: ViewStore;
  readonly programs: ProgramIds;
  /** How accounts are read from their bytes; as the programs have it when left out. */
  readonly decoders?: Decoders;
  /** Accounts to hold beside those that discovery finds and those that they point to. */
  readonly extra?: readonly WantedAccount[];
  readonly commitment: Commitment;
  readonly viewRefreshMs: number;
  readonly vaultRefreshMs: number;
  readonly discoveryIntervalMs: number;
  /** How long one refresh may take before it is given up and tried again. */
  readonly refreshTimeoutMs: number;
  /** Told about every failed refresh, once; it goes on by itself. */
  readonly onFailure?: (error: unknown) => void;
}

/** While vaults announce their changes they are read as a matter of precaution only, so many times less often. */
export const ANNOUNCED_FACTOR = 8;
const RETRY_MS = 1_000;

/** Reads the catalogue again and again, and publishes a View each time. */
export class ViewKeeper {
  readonly #options: ViewKeeperOptions;
  readonly #builder: CatalogueBuilder;
  readonly #stop = new AbortController();
  readonly #announced = new Map<Address, { kind: Kind; account: ChainAccount }>();
  readonly #discovered = new Map<Kind, ReadonlySet<Address>>();
  #slotDurationMs = DEFAULT_SLOT_MS;
  #number = 0;
  #lastError: ErrorCode | null = null;
  #running: Promise<void> = Promise.resolve();
  #wake: (() => void) | undefined;
  readonly #doneAt: { discovery: number; vaults: number } = {
    discovery: Number.NEGATIVE_INFINITY,
    vaults: Number.NEGATIVE_INFINITY,
  };
  #vaultsAreAnnounced = false;
  /** How often reading everything was asked for, and up to which of these it has been done. */
  #wholeAsked = 0;
  #wholeDone = 0;
  #hurried = false;

  constructor(options: ViewKeeperOptions) {
    this.#options = options;
    this.#builder = new CatalogueBuilder(options.decoders ?? decodersFor(options.programs), options.extra);
  }

  /** The code of the last failure, null while refreshes succeed. */
  get lastError(): ErrorCode | null {
    return this.#lastError;
  }

  start(): void {
    this.#running = this.#loop();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.hurry();
    await this.#running;
  }

  /** An account that the chain announced; it is in the next View. */
  announce(kind: Kind, account: ChainAccount): void {
    const known = this.#announced.get(account.address);
    if (known === undefined || known.account.slot <= account.slot) {
      this.#announced.set(account.address, { kind, account });
    }
  }

  /** Whether vaults announce their changes from now on. What they did not announce before is read once more. */
  setVaultsAnnounced(announced: boolean): void {
    if (announced && !this.#vaultsAreAnnounced) this.#wholeAsked += 1;
    this.#vaultsAreAnnounced = announced;
  }

  /** Does not wait for the timer: the next refresh begins now. */
  hurry(): void {
    if (this.#wake === undefined) this.#hurried = true;
    else this.#wake();
  }

  /** The next refresh begins now and reads everything. */
  hurryWhole(): void {
    this.#wholeAsked += 1;
    this.hurry();
  }

  /** Reads what is due and publishes a View. */
  async refresh(signal: AbortSignal = this.#stop.signal): Promise<View> {
    const { reader, store, viewRefreshMs, vaultRefreshMs, discoveryIntervalMs } = this.#options;
    const now = performance.now();
    const discoveryDue = now - this.#doneAt.discovery >= discoveryIntervalMs - viewRefreshMs / 2;
    if (discoveryDue) await this.#discover(signal);
    const pause = vaultRefreshMs * (this.#vaultsAreAnnounced ? ANNOUNCED_FACTOR : 1);
    const asked = this.#wholeAsked;
    const allDue = asked > this.#wholeDone || now - this.#doneAt.vaults >= pause - viewRefreshMs / 2;
    const pages = await readLinked({ reader, builder: this.#builder, minSlot: this.#minSlot, signal }, [
      ...this.#due(allDue),
      ...this.#builder.unread(),
    ]);
    for (const { kind, account } of this.#announced.values()) {
      this.#builder.take(kind, account.address, account, account.slot);
    }
    this.#announced.clear();
    const view = this.#view(pages, allDue);
    if (discoveryDue) this.#doneAt.discovery = now;
    if (allDue) {
      this.#doneAt.vaults = now;
      this.#wholeDone = asked;
    }
    store.publish(view);
    return view;
  }

  async #loop(): Promise<void> {
    const { viewRefreshMs, refreshTimeoutMs, onFailure } = this.#options;
    while (!this.#stop.signal.aborted) {
      const startedAt = performance.now();
      using deadline = deadlineSignal(refreshTimeoutMs, 'Reading the View', this.#stop.signal);
      try {
        await this.refresh(deadline.signal);
        this.#lastError = null;
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        this.#lastError = isSluiceError(error) ? error.code : 'INTERNAL';
        onFailure?.(error);
      }
      const pause = this.#lastError === null ? viewRefreshMs : Math.min(RETRY_MS, viewRefreshMs);
      await this.#sleep(Math.max(0, pause - (performance.now() - startedAt)));
    }
  }

  async #sleep(ms: number): Promise<void> {
    if (this.#hurried) {
      this.#hurried = false;
      return;
    }
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    try {
      await systemClock.sleep(ms, woken.signal);
    } catch {
      // Woken early: that is what the signal is for.
    } finally {
      this.#wake = undefined;
    }
  }

  /** An answer from before it would take the View back. A View's own slot is by a clock, which may lag behind its accounts. */
  get #minSlot(): bigint {
    const { slot, slotWhole } = this.#options.store.newest?.moment ?? { slot: 0n, slotWhole: 0n };
    return slot > slotWhole ? slot : slotWhole;
  }

  async #discover(signal: AbortSignal): Promise<void> {
    const { rpc, programs, commitment } = this.#options;
    const minSlot = this.#minSlot;
    const [discovered, slotDurationMs] = await Promise.all([
      discoverAddresses(rpc, programs, commitment, { minSlot, signal }),
      measureSlotDuration(rpc, signal),
    ]);
    this.#slotDurationMs = slotDurationMs;
    for (const [kind, addresses] of discovered) {
      // All of a kind do not vanish at once: an empty answer is a node's fault, and what is known is kept.
      if (addresses.size === 0 && this.#builder.known(kind).length > 0) continue;
      this.#discovered.set(kind, addresses);
      this.#builder.retain(kind, addresses);
    }
  }

  /** Reserves every time; everything else when its time has come; in any case what discovery has just found. */
  #due(all: boolean): WantedAccount[] {
    return KINDS.flatMap((kind) => {
      const known = this.#builder.known(kind);
      const discovered = this.#discovered.get(kind);
      if (all || kind === 'reserve')
        return [...new Set([...(discovered ?? []), ...known])].map((address) => ({ kind, address }));
      const held = new Set(known);
      return [...(discovered ?? [])]
        .filter((address) => !held.has(address))
        .map((address) => ({ kind, address }));
    });
  }

  #view(pages: readonly AccountPage[], whole: boolean): View {
    const previous = this.#options.store.newest?.moment;
    const slots = pages.map((page) => page.slot);
    const slotMin = slots.reduce((a, b) => (a < b ? a : b), slots[0] ?? previous?.slot ?? 0n);
    const newest = pages.reduce<AccountPage | undefined>(
      (a, b) => (a !== undefined && a.clock.slot >= b.clock.slot ? a : b),
      undefined,
    );
    this.#number += 1;
    return this.#builder.view({
      number: this.#number,
      ...later({ slot: newest?.clock.slot ?? 0n, timestamp: newest?.clock.unixTimestamp ?? 0n }, previous),
      builtAtMs: Date.now(),
      slotDurationMs: this.#slotDurationMs,
      slotMin,
      slotMax: slots.reduce((a, b) => (a > b ? a : b), slots[0] ?? previous?.slot ?? 0n),
      slotWhole: whole ? slotMin : (previous?.slotWhole ?? 0n),
      torn: pages.some((page) => page.torn),
    });
  }
}

/** The later of two moments: the View's own slot and time never go back. */
function later(next: { slot: bigint; timestamp: bigint }, previous: ViewMoment | undefined) {
  if (previous === undefined || next.slot >= previous.slot) return next;
  return { slot: previous.slot, timestamp: previous.timestamp };
}
