import { randomBytes } from 'node:crypto';
import type { Rational } from '@sluice/protocol/numeric/rational';
import type { ProgramIds } from '@sluice/protocol/program-ids';
import type { Address, Commitment } from '@solana/kit';
import type { ErrorCode } from '../../errors/codes.ts';
import { isCodedError } from '../../errors/sluice-error.ts';
import type { ChainAccount } from '../accounts/account-page.ts';
import type { AccountReader } from '../accounts/account-reader.ts';
import { PositionKeeper } from '../positions/position-keeper.ts';
import type { PositionAccount, PositionChange } from '../positions/position-kinds.ts';
import type { Positions } from '../positions/positions.ts';
import type { AccountSink, AccountSource, DeliveredMoment } from './account-source.ts';
import { Announcements } from './announcements.ts';
import { CatalogueBuilder } from './catalogue.ts';
import { DeliveredSlots } from './delivered-slots.ts';
import { DEFAULT_SLOT_MS, type DiscoveryRpc, discoverAddresses, measureSlotDuration } from './discovery.ts';
import { type Decoders, decodersFor, KINDS, type Kind, type WantedAccount } from './kinds.ts';
import { readHeads, settlePatched } from './read-heads.ts';
import { readLinked } from './read-linked.ts';
import { type ReadIntervals, ReadSchedule, type Round } from './read-schedule.ts';
import { readUntraced } from './read-untraced.ts';
import type { View, ViewMoment } from './view.ts';
import type { ReadFrom } from './view-feed.ts';
import { viewId } from './view-id.ts';
import { momentOfDelivered, momentOfPages, type ReadMoment } from './view-moment.ts';
import type { ViewStore } from './view-store.ts';
import type { PositionsUpdate, ViewUpdate } from './view-update.ts';
import { wantedIn } from './wanted-accounts.ts';

export interface ViewKeeperOptions extends ReadIntervals {
  readonly rpc: DiscoveryRpc;
  readonly reader: AccountReader;
  readonly store: ViewStore;
  readonly programs: ProgramIds;
  /** Decoders of the accounts. Absent: those of the configured programs. */
  readonly decoders?: Decoders;
  /** Accounts to hold in addition to those that discovery finds and their links. */
  readonly extra?: readonly WantedAccount[];
  readonly commitment: Commitment;
  /** Started and stopped with the keeper. Absent: it is refreshed by its owner. */
  readonly sources?: readonly AccountSource[];
  /** Called once for every failed refresh of a source, which retries on its own. */
  readonly onFailure?: (error: unknown) => void;
  /** Called after a refresh that failed because the endpoints have not reached the slot of the newest View. */
  readonly onBehind?: (signal: AbortSignal) => Promise<void>;
  /** Called with every View before it is served. False: it is dropped. Absent: all are served. */
  readonly admit?: (view: View) => Promise<boolean>;
}

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
  readonly #announced = new Announcements();
  readonly #positions: PositionKeeper;
  readonly #discovered = new Map<Kind, Set<Address>>();
  /** Null until the cluster has given performance samples. */
  #slotDurationMs: Rational | null = null;
  /** First part of the ids of its Views, so that no other gateway uses the same ones. */
  #origin = newOrigin();
  #number = 0;
  #lastError: ErrorCode | null = null;
  readonly #schedule: ReadSchedule;
  /** Kinds of the sources that are connected. */
  #announcedKinds: ReadonlySet<Kind> = new Set();
  readonly #delivered = new DeliveredSlots();
  /** The slot that a request waits for. */
  #awaitedSlot = 0n;
  /** Ends with the refreshes that have begun: several sources ask for them. */
  #refreshing: Promise<unknown> = Promise.resolve();
  #isRefreshing = false;
  #isPublishing = false;

  constructor(options: ViewKeeperOptions) {
    this.#options = options;
    this.#builder = newBuilder(options);
    this.#schedule = new ReadSchedule(options);
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
    if (this.#options.store.newest === undefined) this.#schedule.requestDiscovery();
    this.#schedule.requestWhole();
    this.#isReading = true;
    // Those of another process's Views are not kept up to date until a source of ours has loaded them.
    this.#positions.suspend();
    for (const source of this.#sources) source.start(this);
  }

  /** Stops reading and forgets what was read after the newest View. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#sources.map((source) => source.stop()));
    await this.#refreshing;
    this.#isReading = false;
    this.#delivered.end();
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
    this.#delivered.restart();
    this.#schedule.requestDiscovery();
    this.refreshAllNow();
    for (const source of this.#sources) source.reload?.();
  }

  announce(kind: Kind, account: ChainAccount): void {
    const { address, slot } = account;
    // Accounts that a read may bring into the catalogue are kept until it has ended.
    if (!this.#isRefreshing && !this.#builder.wants(kind, address)) return;
    // Notifications of a single kind are no proof that it is gone.
    if (!this.#isStreamed && account.data.length === 0) {
      this.refreshAllNow();
      return;
    }
    const isClosed = account.lamports === 0n;
    if (isClosed) this.#discovered.get(kind)?.delete(address);
    this.#announced.add({ kind, address, slot, account: isClosed ? null : account });
  }

  slotDelivered(moment: DeliveredMoment): void {
    this.#delivered.deliver(moment);
    if (this.#hasNews()) this.#publishSoon();
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

  /**
   * The next refresh reads everything when a kind begins to be announced, because earlier changes may have been missed, and
   * when a stream of all accounts ends.
   */
  connectionChanged(): void {
    const connected = this.#sources.filter((source) => source.connected);
    const kinds = new Set(connected.flatMap((source) => source.kinds));
    const wasStreamed = this.#isStreamed;
    if ([...kinds].some((kind) => !this.#announcedKinds.has(kind))) this.#schedule.requestWhole();
    this.#announcedKinds = kinds;
    if (KINDS.every((kind) => kinds.has(kind))) return;
    this.#delivered.end();
    if (wasStreamed) this.refreshAllNow();
  }

  /** Whether a stream delivers all accounts. */
  get #isStreamed(): boolean {
    return this.#delivered.moment !== null && KINDS.every((kind) => this.#announcedKinds.has(kind));
  }

  /** Whether a View of the delivered slot would differ from the newest one in more than its time, or is waited for. */
  #hasNews(): boolean {
    const slot = this.#servable?.slot;
    if (slot === undefined) return false;
    const newest = this.#options.store.newest?.moment.slot ?? 0n;
    const isChanged = !this.#announced.isEmpty || this.#positions.isChanged;
    return isChanged || (this.#awaitedSlot > newest && slot >= this.#awaitedSlot);
  }

  /** Serves Views while there is news. Slots that are delivered meanwhile go into one View. */
  #publishSoon(): void {
    if (this.#isPublishing || !this.#isReading) return;
    this.#isPublishing = true;
    void this.refresh(this.#stop.signal).then((succeeded) => {
      this.#isPublishing = false;
      if (succeeded && this.#hasNews()) this.#publishSoon();
    });
  }

  get #sources(): readonly AccountSource[] {
    return this.#options.sources ?? [];
  }

  /** Starts the next refresh now instead of waiting for a timer, or when a stream has delivered the slot. */
  refreshNow(slot = 0n): void {
    if (slot > this.#awaitedSlot) this.#awaitedSlot = slot;
    for (const source of this.#sources) source.refreshNow?.();
  }

  /** Starts the next refresh now and reads everything, because changes may have been missed. */
  refreshAllNow(): void {
    this.#delivered.readAgain();
    this.#schedule.requestWhole();
    this.refreshNow();
  }

  refresh(signal: AbortSignal): Promise<boolean> {
    const refreshed = this.#refreshing.then(() => this.#refresh(signal));
    this.#refreshing = refreshed;
    return refreshed;
  }

  async #refresh(signal: AbortSignal): Promise<boolean> {
    if (this.#stop.signal.aborted) return false;
    this.#isRefreshing = true;
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
    } finally {
      this.#isRefreshing = false;
    }
  }

  /**
   * Reads the accounts of a round, by default the one that is due, and serves a View, if it is admitted. Returns the newest
   * View instead while a stream has not delivered the slot of what was read.
   */
  async read(signal: AbortSignal = this.#stop.signal, named?: Round): Promise<View> {
    const { reader, store, admit } = this.#options;
    const builder = this.#builder;
    const now = performance.now();
    const state = { announcedKinds: this.#announcedKinds, isStreamed: this.#isStreamed };
    const discoveryDue = this.#schedule.isDiscoveryDue(state, now);
    if (discoveryDue) {
      // Scans are expensive: after a failure they wait until the endpoints answer and have reached the slot.
      if (this.#lastError !== null) await reader.readClock({ minSlot: this.#minSlot, signal });
      await this.#discover(signal);
    }
    const requested = this.#schedule.wholeRequested;
    const round = named ?? this.#schedule.roundDue(state, now);
    if (round === 'new') this.#announced.takeWanted(builder);
    const { heads, whole } = wantedIn(round, builder, this.#discovered, this.#announcedKinds);
    const reading = { reader, builder, minSlot: this.#minSlot, signal };
    const { pages: headPages, patched, unsettled } = await readHeads(reading, heads);
    const [pages, changedPages, untracedPages] = await Promise.all([
      readLinked(reading, [...whole, ...unsettled, ...builder.unread()]),
      settlePatched(reading, patched).then((changed) => readLinked(reading, changed)),
      round === 'vaults' ? readUntraced(reading, heads, unsettled) : [],
    ]);
    const read = [...headPages, ...pages, ...changedPages, ...untracedPages];
    // All of the round is announced, but not the time of the chain.
    const clocks = read.length > 0 || this.#isStreamed ? [] : [await reader.readClock(reading)];
    // Views were dropped during the reads, so they start over.
    if (builder !== this.#builder) return await this.read(signal, named);
    if (discoveryDue) this.#schedule.discovered(now);
    this.#schedule.read(round, now, requested);
    this.#delivered.read(read);
    this.#announced.takeAll(builder);
    const delivered = this.#servable;
    if (this.#isStreamed && delivered === null && store.newest !== undefined) return store.newest;
    const moment =
      delivered === null
        ? momentOfPages([...read, ...clocks], round === 'whole', this.#previous)
        : momentOfDelivered(delivered);
    // While a stream delivers positions, only a View of its slot has the others of the same slot.
    const isOfOneSlot = delivered !== null || this.#delivered.moment === null;
    const view = this.#view(moment, isOfOneSlot ? this.#positions.snapshot(moment.slot) : null);
    if (admit === undefined || (await admit(view))) store.publish(view);
    return view;
  }

  /** The delivered moment, if a View of it can be served. */
  get #servable(): DeliveredMoment | null {
    const newest = this.#options.store.newest?.moment;
    return this.#isStreamed ? this.#delivered.servable(newest, this.#minSlot) : null;
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
    // A stream is ahead of the endpoints, and an account that it has not changed since is not taken back by them.
    const own = this.#isStreamed ? [this.#delivered.readFrom] : [slot, slotWhole];
    const slots = [...own, this.#from.slot, this.#from.highestSlot];
    return slots.reduce((highest, each) => (each > highest ? each : highest), 0n);
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
      this.#discovered.set(kind, new Set(addresses));
      this.#builder.retain(kind, addresses);
    }
  }

  /** The moment that the next View continues. */
  get #previous(): Pick<ViewMoment, 'slot' | 'timestamp' | 'slotWhole'> {
    const newest = this.#options.store.newest?.moment;
    return newest !== undefined && newest.slot >= this.#from.slot
      ? newest
      : { ...this.#from, slotWhole: newest?.slotWhole ?? 0n };
  }

  #view(moment: ReadMoment, positions: Positions | null): View {
    this.#number += 1;
    const described = {
      id: viewId({ origin: this.#origin, number: this.#number }),
      number: this.#number,
      ...moment,
      builtAtMs: Date.now(),
      slotDurationMs: this.#slotDurationMs ?? DEFAULT_SLOT_MS,
      ...(this.#slotDurationMs === null ? { slotDurationAssumed: true } : {}),
    };
    return this.#builder.view(described, positions);
  }
}

function newBuilder({ decoders, programs, extra }: ViewKeeperOptions): CatalogueBuilder {
  return new CatalogueBuilder(decoders ?? decodersFor(programs), extra);
}

const newOrigin = () => randomBytes(4).toString('hex');
