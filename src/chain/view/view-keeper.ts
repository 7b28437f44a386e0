import { randomBytes } from 'node:crypto';
import type { Rational } from '@sluice/protocol/numeric/rational';
import type { ProgramIds } from '@sluice/protocol/program-ids';
import type { Address, Commitment } from '@solana/kit';
import type { ErrorCode } from '../../errors/codes.ts';
import { isCodedError } from '../../errors/sluice-error.ts';
import type { AccountPage, ChainAccount } from '../accounts/account-page.ts';
import type { AccountReader } from '../accounts/account-reader.ts';
import { PositionKeeper } from '../positions/position-keeper.ts';
import type { PositionAccount, PositionChange } from '../positions/position-kinds.ts';
import { ACCOUNT_HEADS } from './account-heads.ts';
import type { AccountSink, AccountSource } from './account-source.ts';
import { CatalogueBuilder } from './catalogue.ts';
import { DEFAULT_SLOT_MS, type DiscoveryRpc, discoverAddresses, measureSlotDuration } from './discovery.ts';
import { type Decoders, decodersFor, KINDS, type Kind, type WantedAccount } from './kinds.ts';
import { changedUntraced, readHeads, settlePatched } from './read-heads.ts';
import { type CatalogueRead, readLinked } from './read-linked.ts';
import type { View, ViewMoment } from './view.ts';
import type { ReadFrom } from './view-feed.ts';
import { viewId } from './view-id.ts';
import type { ViewStore } from './view-store.ts';
import type { PositionsUpdate, ViewUpdate } from './view-update.ts';

export interface ViewKeeperOptions {
  readonly rpc: DiscoveryRpc;
  readonly reader: AccountReader;
  readonly store: ViewStore;
  readonly programs: ProgramIds;
  /** Decoders of the accounts. Absent: those of the configured programs. */
  readonly decoders?: Decoders;
  /** Accounts to hold in addition to those that discovery finds and their links. */
  readonly extra?: readonly WantedAccount[];
  readonly commitment: Commitment;
  readonly viewRefreshMs: number;
  readonly vaultRefreshMs: number;
  readonly discoveryIntervalMs: number;
  /** Started and stopped with the keeper. Absent: it is refreshed by its owner. */
  readonly sources?: readonly AccountSource[];
  /** Called once for every failed refresh of a source, which retries on its own. */
  readonly onFailure?: (error: unknown) => void;
  /** Called after a refresh that failed because the endpoints have not reached the slot of the newest View. */
  readonly onBehind?: (signal: AbortSignal) => Promise<void>;
  /** Called with every View before it is served. False: it is dropped. Absent: all are served. */
  readonly admit?: (view: View) => Promise<boolean>;
}

/** Whole accounts are read this many times less often than vaults: heads and announcements reveal most changes. */
export const WHOLE_FACTOR = 8;
/** Accounts that a refresh reads. `whole` reads whole accounts; the others read heads where a kind has one. */
export type Round = 'reserves' | 'vaults' | 'whole';

const KINDS_OF: { readonly [R in Round]: readonly Kind[] } = {
  reserves: ['reserve', 'oracle'],
  vaults: ['reserve', 'oracle', 'market', 'vault', 'farm'],
  whole: KINDS,
};
/** Kinds for which a round runs. While all of them are announced, the others of its row wait for `whole`. */
const DRIVEN_BY = { vaults: ['vault'] } as const satisfies Partial<Record<Round, readonly Kind[]>>;
type TimedWork = 'discovery' | 'vaults' | 'whole';

const FROM_ANYWHERE: ReadFrom = { slot: 0n, timestamp: 0n, highestSlot: 0n };

/** Keeps the catalogue up to date with what its sources deliver, and publishes a View with each refresh. */
export class ViewKeeper implements AccountSink {
  readonly #options: ViewKeeperOptions;
  #builder: CatalogueBuilder;
  /** Aborted when reading stops. */
  #stop = new AbortController();
  #from = FROM_ANYWHERE;
  #isReading = false;
  #timesDiscarded = 0;
  readonly #positions: PositionKeeper;
  readonly #announced = new Map<Address, { kind: Kind; account: ChainAccount }>();
  readonly #discovered = new Map<Kind, ReadonlySet<Address>>();
  /** Null until the cluster has given performance samples. */
  #slotDurationMs: Rational | null = null;
  /** First part of the ids of its Views, so that no other gateway uses the same ones. */
  #origin = newOrigin();
  #number = 0;
  #lastError: ErrorCode | null = null;
  readonly #doneAt: Record<TimedWork, number> = {
    discovery: Number.NEGATIVE_INFINITY,
    vaults: Number.NEGATIVE_INFINITY,
    whole: Number.NEGATIVE_INFINITY,
  };
  /** Kinds of the sources that are connected. */
  #announcedKinds: ReadonlySet<Kind> = new Set();
  /** Whole reads requested and completed so far. */
  #wholeReadsRequested = 0;
  #wholeReadsDone = 0;

  constructor(options: ViewKeeperOptions) {
    this.#options = options;
    this.#builder = newBuilder(options);
    this.#positions = new PositionKeeper(options.programs);
  }

  /** Times that Views were discarded because their slot was false. */
  get timesDiscarded(): number {
    return this.#timesDiscarded;
  }

  /** Code of the last failure; null while refreshes succeed. */
  get lastError(): ErrorCode | null {
    return this.#lastError;
  }

  /** Kinds of which a connected source announces every change. */
  get announcedKinds(): readonly Kind[] {
    return [...this.#announcedKinds];
  }

  /** Reads everything, then keeps it up to date. Its Views never go back before `from`. */
  start(from: ReadFrom = this.#from): void {
    this.#stop = new AbortController();
    this.#from = from;
    this.#origin = newOrigin();
    // The newest View names what discovery would find, so that changes of the reader do not repeat its scans.
    if (this.#options.store.newest === undefined) this.#doneAt.discovery = Number.NEGATIVE_INFINITY;
    this.#doneAt.whole = Number.NEGATIVE_INFINITY;
    this.#isReading = true;
    this.#positions.suspend();
    for (const source of this.#sources) source.start(this);
  }

  /** Stops reading and forgets what was read after the newest View. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#sources.map((source) => source.stop()));
    this.#isReading = false;
    this.#announced.clear();
    this.#builder.reset(this.#options.store.newest);
    this.#positions.rollback(this.#options.store.newest?.positions ?? null);
  }

  /** Serves a View that another process read. */
  adopt(update: ViewUpdate): View {
    const { store } = this.#options;
    this.#builder.adopt(update);
    this.#slotDurationMs = update.moment.slotDurationAssumed === true ? null : update.moment.slotDurationMs;
    this.#lastError = null;
    const { newest } = store;
    if (newest?.moment.id === update.moment.id) return newest;
    this.#adoptPositions(update.positions);
    this.#number += 1;
    const positions = this.#positions.snapshot(update.moment.slot);
    const view = this.#builder.view({ ...update.moment, number: this.#number }, positions);
    store.publish(view);
    return view;
  }

  #adoptPositions(update: PositionsUpdate | undefined): void {
    if (update?.state === 'loaded') this.#positions.adopt(update.table);
    if (update?.state === 'changed') this.#positions.continue(update.changes);
    if (update?.state === 'suspended') this.#positions.suspend();
    if (update?.state === 'lost') this.#positions.lose();
  }

  /**
   * Discards everything that was read, and Views of later slots, because an endpoint reported slots that the chain has not
   * reached. Views up to the slot are served until the catalogue has been read again.
   */
  discardAfter(slot: bigint): void {
    const { store } = this.#options;
    this.#timesDiscarded += 1;
    store.discardAfter(slot);
    this.#builder = newBuilder(this.#options);
    if (this.#from.highestSlot > slot) this.#from = FROM_ANYWHERE;
    this.#positions.lose();
    // A follower continues from the newest View.
    if (!this.#isReading) this.#builder.reset(store.newest);
    this.#announced.clear();
    this.#discovered.clear();
    this.#doneAt.discovery = Number.NEGATIVE_INFINITY;
    this.refreshAllNow();
  }

  /** A deletion triggers a full read instead. */
  announce(kind: Kind, account: ChainAccount): void {
    if (account.data.length === 0) {
      this.refreshAllNow();
      return;
    }
    const known = this.#announced.get(account.address);
    if (known === undefined || known.account.slot <= account.slot) {
      this.#announced.set(account.address, { kind, account });
    }
  }

  async positionsLoaded(
    slot: bigint,
    accounts: Iterable<PositionAccount> | AsyncIterable<PositionAccount>,
  ): Promise<void> {
    await this.#positions.load(slot, accounts);
  }

  positionChanged(change: PositionChange): void {
    this.#positions.apply(change);
  }

  positionsLost(): void {
    this.#positions.suspend();
  }

  /** The next refresh reads everything when a kind begins to be announced, because earlier changes may have been missed. */
  connectionChanged(): void {
    const connected = this.#sources.filter((source) => source.connected);
    const kinds = new Set(connected.flatMap((source) => source.kinds));
    if ([...kinds].some((kind) => !this.#announcedKinds.has(kind))) this.#wholeReadsRequested += 1;
    this.#announcedKinds = kinds;
  }

  get #sources(): readonly AccountSource[] {
    return this.#options.sources ?? [];
  }

  /** Starts the next refresh now instead of waiting for a timer. */
  refreshNow(): void {
    for (const source of this.#sources) source.refreshNow?.();
  }

  /** Starts the next refresh now and reads everything. */
  refreshAllNow(): void {
    this.#wholeReadsRequested += 1;
    this.refreshNow();
  }

  async refresh(signal: AbortSignal): Promise<boolean> {
    try {
      await this.read(signal);
      this.#lastError = null;
      return true;
    } catch (error) {
      if (this.#stop.signal.aborted) return false;
      this.#lastError = isCodedError(error) ? error.code : 'INTERNAL';
      this.#options.onFailure?.(error);
      if (isCodedError(error, 'MIN_SLOT_NOT_REACHED')) await this.#review(signal);
      return false;
    }
  }

  /** Reads the accounts of a round, by default the one that is due, and serves a View, if it is admitted. */
  async read(signal: AbortSignal = this.#stop.signal, named?: Round): Promise<View> {
    const { reader, store, admit } = this.#options;
    const builder = this.#builder;
    const now = performance.now();
    const discoveryDue = this.#isDue('discovery', this.#options.discoveryIntervalMs, now);
    if (discoveryDue) {
      // Scans are expensive: after a failure they wait until the endpoints answer and have reached the slot.
      if (this.#lastError !== null) await reader.readClock({ minSlot: this.#minSlot, signal });
      await this.#discover(signal);
    }
    const requested = this.#wholeReadsRequested;
    const round = named ?? this.#roundDue(now);
    const { heads, whole } = this.#accountsOf(round);
    const reading = { reader, builder, minSlot: this.#minSlot, signal };
    const { pages: headPages, patched, unsettled } = await readHeads(reading, heads);
    const [pages, changedPages, untracedPages] = await Promise.all([
      readLinked(reading, [...whole, ...unsettled, ...builder.unread()]),
      settlePatched(reading, patched).then((changed) => readLinked(reading, changed)),
      round === 'vaults' ? readUntraced(reading, heads, unsettled) : [],
    ]);
    // All of the round is announced, but not the time of the chain.
    const read = headPages.length + pages.length + changedPages.length + untracedPages.length;
    const clocks = read > 0 ? [] : [await reader.readClock(reading)];
    // Views were dropped during the reads, so they start over.
    if (builder !== this.#builder) return await this.read(signal, named);
    for (const { kind, account } of this.#announced.values()) {
      this.#builder.take(kind, account.address, account, account.slot);
    }
    this.#announced.clear();
    const view = this.#view(
      [...headPages, ...pages, ...changedPages, ...untracedPages, ...clocks],
      round === 'whole',
    );
    if (discoveryDue) this.#doneAt.discovery = now;
    if (round !== 'reserves') this.#doneAt.vaults = now;
    if (round === 'whole') {
      this.#doneAt.whole = now;
      this.#wholeReadsDone = requested;
    }
    if (admit === undefined || (await admit(view))) store.publish(view);
    return view;
  }

  async #review(signal: AbortSignal): Promise<void> {
    try {
      await this.#options.onBehind?.(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** Answers from before this slot would take the View back. The View's own slot comes from a clock that may lag its accounts. */
  get #minSlot(): bigint {
    const { slot, slotWhole } = this.#options.store.newest?.moment ?? { slot: 0n, slotWhole: 0n };
    const slots = [slotWhole, this.#from.slot, this.#from.highestSlot];
    return slots.reduce((highest, each) => (each > highest ? each : highest), slot);
  }

  async #discover(signal: AbortSignal): Promise<void> {
    const { rpc, programs, commitment } = this.#options;
    const minSlot = this.#minSlot;
    const [discovered, slotDurationMs] = await Promise.all([
      discoverAddresses(rpc, programs, commitment, { minSlot, signal }),
      measureSlotDuration(rpc, signal),
    ]);
    this.#slotDurationMs = slotDurationMs ?? this.#slotDurationMs;
    for (const [kind, addresses] of discovered) {
      // Not all accounts of a kind vanish at once: an empty list is a fault of the node and is ignored.
      if (addresses.size === 0 && this.#builder.known(kind).length > 0) continue;
      this.#discovered.set(kind, addresses);
      this.#builder.retain(kind, addresses);
    }
  }

  /** Periodic work runs with a refresh: the first one at most half a refresh interval before its pause ends. */
  #isDue(work: TimedWork, pauseMs: number, now: number): boolean {
    return now - this.#doneAt[work] >= pauseMs - this.#options.viewRefreshMs / 2;
  }

  #roundDue(now: number): Round {
    const { vaultRefreshMs } = this.#options;
    const isRequested = this.#wholeReadsRequested > this.#wholeReadsDone;
    if (isRequested || this.#isDue('whole', vaultRefreshMs * WHOLE_FACTOR, now)) return 'whole';
    const isPolled = DRIVEN_BY.vaults.some((kind) => !this.#announcedKinds.has(kind));
    return isPolled && this.#isDue('vaults', vaultRefreshMs, now) ? 'vaults' : 'reserves';
  }

  /** The accounts of the round's kinds, and those that discovery has just found. */
  #accountsOf(round: Round): { readonly heads: WantedAccount[]; readonly whole: WantedAccount[] } {
    const heads: WantedAccount[] = [];
    const whole: WantedAccount[] = [];
    for (const kind of KINDS) {
      const known = new Set(this.#builder.known(kind));
      const discovered = this.#discovered.get(kind) ?? [];
      const isPolled = round === 'whole' || !this.#announcedKinds.has(kind);
      const wanted =
        isPolled && KINDS_OF[round].includes(kind)
          ? new Set([...discovered, ...known])
          : [...discovered].filter((address) => !known.has(address));
      const byHead = new Set(
        round === 'whole' || ACCOUNT_HEADS[kind] === undefined ? [] : this.#builder.held(kind),
      );
      for (const address of wanted) (byHead.has(address) ? heads : whole).push({ kind, address });
    }
    return { heads, whole };
  }

  /** The moment that the next View continues. */
  get #previous(): Pick<ViewMoment, 'slot' | 'timestamp' | 'slotWhole'> {
    const newest = this.#options.store.newest?.moment;
    return newest !== undefined && newest.slot >= this.#from.slot
      ? newest
      : { ...this.#from, slotWhole: newest?.slotWhole ?? 0n };
  }

  #view(pages: readonly AccountPage[], whole: boolean): View {
    const previous = this.#previous;
    const slots = pages.map((page) => page.slot);
    const slotMin = slots.reduce((a, b) => (a < b ? a : b), slots[0] ?? previous.slot);
    const newest = pages.reduce<AccountPage | undefined>(
      (a, b) => (a !== undefined && a.clock.slot >= b.clock.slot ? a : b),
      undefined,
    );
    const read = { slot: newest?.clock.slot ?? 0n, timestamp: newest?.clock.unixTimestamp ?? 0n };
    const { slot, timestamp } = later(read, previous);
    this.#number += 1;
    const moment = {
      id: viewId({ origin: this.#origin, number: this.#number }),
      number: this.#number,
      slot,
      timestamp,
      builtAtMs: Date.now(),
      slotDurationMs: this.#slotDurationMs ?? DEFAULT_SLOT_MS,
      ...(this.#slotDurationMs === null ? { slotDurationAssumed: true } : {}),
      slotMin,
      slotMax: slots.reduce((a, b) => (a > b ? a : b), slots[0] ?? previous.slot),
      slotWhole: whole ? slotMin : previous.slotWhole,
      torn: pages.some((page) => page.torn),
    };
    return this.#builder.view(moment, this.#positions.snapshot(slot));
  }
}

/** Reads accounts whole whose settings have changed without a trace in their head. */
async function readUntraced(
  reading: CatalogueRead,
  heads: readonly WantedAccount[],
  readWhole: readonly WantedAccount[],
): Promise<readonly AccountPage[]> {
  const others = new Set(readWhole.map(({ address }) => address));
  const kept = heads.filter(({ address }) => !others.has(address));
  return await readLinked(reading, await changedUntraced(reading, kept));
}

function newBuilder({ decoders, programs, extra }: ViewKeeperOptions): CatalogueBuilder {
  return new CatalogueBuilder(decoders ?? decodersFor(programs), extra);
}

const newOrigin = () => randomBytes(4).toString('hex');

type SlotTime = Pick<ViewMoment, 'slot' | 'timestamp'>;

/** The later of two moments: a View's slot and time never go back. */
function later(next: SlotTime, previous: SlotTime): SlotTime {
  if (next.slot >= previous.slot) return next;
  return { slot: previous.slot, timestamp: previous.timestamp };
}
