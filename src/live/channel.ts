import type { Sharing } from '../chain/session/shared-reads.ts';
import { isCodedError } from '../errors/sluice-error.ts';
import { deadlineSignal } from '../node/deadline.ts';
import type { Session } from '../services/request/session.ts';
import { Account } from './account.ts';
import type { ClientBudget, EventCost } from './client-budget.ts';
import { concatBytes, type EventContent, StreamEvent } from './event-bytes.ts';
import { Frames } from './frames.ts';
import { LearnedPrice } from './learned-price.ts';
import { type Changes, NO_CHANGES, type Update, type Watch } from './update.ts';

export interface ChannelOptions {
  /** Equal for identical subscriptions. */
  readonly key: string;
  readonly watch: Watch;
  readonly price: EventCost;
  /**
   * Opens a session on the newest View that shares its reads with other channels.
   *
   * @param caller the payer whose share of the gateway its work uses
   */
  readonly openSession: (
    signal: AbortSignal,
    sharing: Omit<Sharing, 'reads'>,
    caller: string,
  ) => Promise<Session>;
  /** Executes the subscription for one update. */
  readonly execute: (update: Update, session: Session) => Promise<EventContent>;
  /** The event that reports an error. */
  readonly failure: (error: unknown) => EventContent;
  /** Deadline for producing the events of one View. */
  readonly eventTimeoutMs: number;
  /** Resolves in a turn of the event loop that belongs to the caller. */
  readonly turn: (lane: string) => Promise<void>;
  readonly onExecuted: () => void;
  readonly onSuperseded: (events: number) => void;
  /** Called for each stream that skips a View because its payer cannot pay. */
  readonly onSkipped: () => void;
}

export interface Subscriber {
  readonly payer: ClientBudget;
  /** Number of the View up to which it has taken all events; null until its snapshot is ready. */
  seenView: number | null;
  /** The snapshot, or an error in its place, until it is taken. */
  snapshot: Uint8Array | null;
  /** Views skipped since its last event because its payer could not pay. */
  skippedViews: number;
  /** Called when there may be something to take. */
  wake(): void;
}

/** An account whose first snapshot was sent. */
type StartedAccount = Account<Subscriber> & { paidView: number };

/** Payers of the work of one session. */
interface Bill {
  payers: readonly ClientBudget[];
}

/** Update id of an event that reports a failed read. */
const FAILURE_ID = '';

/**
 * One distinct subscription with all its subscribers. It reads once per View, executes each event once, and retains only
 * the latest event of each item. A subscriber has no queue, only a position: a slow one skips the events that were
 * superseded in the meantime and gets the latest. Nothing is read or executed that no payer has paid for, and what it took
 * beyond its price is charged to those who paid.
 */
export class Channel {
  readonly #options: ChannelOptions;
  readonly #price: LearnedPrice;
  readonly #stop = new AbortController();
  /** Those that could pay last come first. */
  readonly #accounts = new Map<string, Account<Subscriber>>();
  readonly #accountOf = new Map<Subscriber, Account<Subscriber>>();
  /** Subscribers that were sent an error in place of their snapshot. */
  readonly #warned = new WeakSet<Subscriber>();
  readonly #frames = new Frames();
  /** Number of the last View that was checked for changes. */
  #checkedView = 0;
  #isRefreshing = false;
  #isRefreshRequested = false;
  #isFailing = false;
  #snapshot: { readonly view: number; readonly bytes: Promise<Uint8Array> } | null = null;

  constructor(options: ChannelOptions) {
    this.#options = options;
    this.#price = new LearnedPrice(options.price);
  }

  get size(): number {
    return this.#accountOf.size;
  }

  join(subscriber: Subscriber): void {
    const { payer } = subscriber;
    const account = this.#accounts.get(payer.id) ?? new Account<Subscriber>(payer);
    account.subscribers.add(subscriber);
    this.#accounts.set(payer.id, account);
    this.#accountOf.set(subscriber, account);
    void this.#sendSnapshot([subscriber], true);
  }

  leave(subscriber: Subscriber): void {
    const account = this.#accountOf.get(subscriber);
    this.#accountOf.delete(subscriber);
    account?.subscribers.delete(subscriber);
    if (account?.subscribers.size === 0) this.#accounts.delete(account.payer.id);
  }

  close(): void {
    this.#stop.abort();
    this.#accounts.clear();
    this.#accountOf.clear();
  }

  /** Checks the newest View for changes. Views that arrive during a check are coalesced into one further check. */
  refresh(): void {
    this.#isRefreshRequested = true;
    if (!this.#isRefreshing) void this.#refreshWhileRequested();
  }

  /** Takes the events that the subscriber has not seen and that are paid; null when there are none. */
  take(subscriber: Subscriber): Uint8Array | null {
    const parts = subscriber.snapshot === null ? [] : [subscriber.snapshot];
    subscriber.snapshot = null;
    const { seenView, skippedViews } = subscriber;
    const paidView = this.#accountOf.get(subscriber)?.paidView ?? null;
    if (seenView !== null && paidView !== null && seenView < paidView) {
      const notice = skippedViews === 0 ? null : { slowed: slowedNotice(skippedViews) };
      const events = this.#frames.between(seenView, paidView, notice);
      subscriber.seenView = paidView;
      if (events !== null) {
        subscriber.skippedViews = 0;
        parts.push(events);
      }
    }
    return parts.length === 0 ? null : concatBytes(parts);
  }

  /** Whether a subscriber has taken the last event that there will be. */
  isOverFor({ seenView, snapshot }: Subscriber): boolean {
    if (seenView === null || snapshot !== null) return false;
    return seenView >= this.#frames.publishedView && this.#options.watch.isOver();
  }

  /** The event that reports an error to one subscriber. */
  failureEvent(error: unknown): Uint8Array {
    return new StreamEvent(this.#options.failure(error), null).bytes;
  }

  async #refreshWhileRequested(): Promise<void> {
    this.#isRefreshing = true;
    while (this.#isRefreshRequested && !this.#stop.signal.aborted) {
      this.#isRefreshRequested = false;
      await this.#publishChanges();
      await this.#sendSnapshot(await this.#payingAgain(), false);
    }
    this.#isRefreshing = false;
  }

  async #publishChanges(): Promise<void> {
    let { id, number } = { id: '', number: this.#checkedView };
    try {
      const [caller] = this.#accounts.keys();
      await this.#inSession({ isFresh: false, caller }, async (session, bill) => {
        ({ id, number } = session.view.moment);
        await this.#publishPaid(session, number, bill);
      });
    } catch (error) {
      if (this.#stop.signal.aborted || this.#isFailing || number <= this.#checkedView) return;
      // Reported once; the next event shows that reads succeed again.
      this.#isFailing = true;
      this.#checkedView = number;
      const failure = new StreamEvent(this.#options.failure(error), id);
      this.#publish(number, new Map([[FAILURE_ID, failure]]), this.#started());
    }
  }

  async #publishPaid(session: Session, view: number, bill: Bill): Promise<void> {
    const { watch } = this.#options;
    const { work } = session;
    const price = this.#price;
    const isNew = view > this.#checkedView;
    const checking = isNew
      ? await this.#paying(this.#started(), (account) => account.payForCheck(price))
      : this.#started().filter(({ paidView }) => paidView < this.#frames.publishedView);
    if (checking.length === 0) return;
    bill.payers = checking.map(({ payer }) => payer);
    if (isNew) work.pay(price.check);
    const { updates, commit }: Changes = isNew ? await watch.changes(session) : NO_CHANGES;
    const changed = updates.map(({ id }) => id);
    const paying = await this.#paying(checking, (account) =>
      account.payForEvents(price, this.#frames.countAfter(account.paidView, changed)),
    );
    if (paying.length === 0) return;
    bill.payers = paying.map(({ payer }) => payer);
    if (updates.length > 0) work.pay(price.of(updates.length));
    const events = await this.#eventsOf(updates, session);
    price.learn(work.limitUnits, updates.length);
    commit();
    this.#checkedView = view;
    this.#isFailing = false;
    this.#frames.remove(FAILURE_ID);
    this.#publish(view, events, paying);
  }

  #started(): StartedAccount[] {
    return [...this.#accounts.values()].filter((each): each is StartedAccount => each.paidView !== null);
  }

  /** The accounts that have paid. The subscribers of the others skip this View, and their share of the gateway is not used. */
  async #paying(
    accounts: readonly StartedAccount[],
    pay: (account: StartedAccount) => Promise<boolean>,
  ): Promise<StartedAccount[]> {
    const paid = await Promise.all(accounts.map(pay));
    return accounts.filter((account, i) => {
      if (paid[i] === true) return true;
      const { id } = account.payer;
      if (this.#accounts.get(id) === account) {
        this.#accounts.delete(id);
        this.#accounts.set(id, account);
      }
      for (const subscriber of account.subscribers) {
        subscriber.skippedViews += 1;
        this.#options.onSkipped();
      }
      return false;
    });
  }

  #publish(
    view: number,
    events: ReadonlyMap<string, StreamEvent>,
    accounts: readonly StartedAccount[],
  ): void {
    if (events.size > 0) {
      const superseded = [...events.keys()].reduce((sum, id) => sum + this.#countWaiting(id), 0);
      if (superseded > 0) this.#options.onSuperseded(superseded);
      this.#frames.publish(view, events);
    }
    for (const account of accounts) {
      const isBehind = account.paidView < this.#frames.publishedView;
      account.paidView = Math.max(account.paidView, view);
      if (isBehind) for (const subscriber of account.subscribers) subscriber.wake();
    }
  }

  /** Subscribers that have not taken the latest event of an item yet. */
  #countWaiting(id: string): number {
    const view = this.#frames.viewOf(id);
    let waiting = 0;
    for (const { seenView } of this.#accountOf.keys())
      if (view !== null && seenView !== null && seenView < view) waiting += 1;
    return waiting;
  }

  /** Sends the present state of all items; it is executed once for all subscribers that join before the next change. */
  async #sendSnapshot(subscribers: readonly Subscriber[], isFresh: boolean): Promise<void> {
    const [first] = subscribers;
    if (first === undefined) return;
    try {
      await this.#inSession({ isFresh, caller: first.payer.id }, async (session, bill) => {
        bill.payers = subscribers.map(({ payer }) => payer);
        // A snapshot is current until something is published after it.
        const isCurrent = this.#snapshot !== null && this.#snapshot.view >= this.#frames.publishedView;
        const snapshot =
          isCurrent && this.#snapshot !== null
            ? this.#snapshot
            : { view: session.view.moment.number, bytes: this.#executeSnapshot(session) };
        this.#snapshot = snapshot;
        const bytes = await snapshot.bytes;
        for (const subscriber of subscribers) this.#start(subscriber, snapshot.view, bytes);
      });
    } catch (error) {
      this.#snapshot = null;
      // Subscribers that join before the first View get their snapshot with it.
      if (this.#stop.signal.aborted || isCodedError(error, 'VIEW_NOT_READY')) return;
      const bytes = this.failureEvent(error);
      for (const subscriber of subscribers) {
        if (this.#warned.has(subscriber)) continue;
        this.#warned.add(subscriber);
        subscriber.snapshot = bytes;
        subscriber.wake();
      }
    }
  }

  /** Those without a snapshot that can pay for one. The first attempt was paid when the stream was opened. */
  async #payingAgain(): Promise<Subscriber[]> {
    const waiting = [...this.#accountOf.keys()].filter(({ seenView }) => seenView === null);
    const paid = await Promise.all(
      waiting.map(
        (each) => !this.#warned.has(each) || each.payer.spend(this.#price.check + this.#price.of(1)),
      ),
    );
    return waiting.filter((_, i) => paid[i]);
  }

  #start(subscriber: Subscriber, view: number, snapshot: Uint8Array): void {
    const account = this.#accountOf.get(subscriber);
    if (account === undefined || subscriber.seenView !== null) return;
    subscriber.snapshot = snapshot;
    subscriber.seenView = view;
    subscriber.wake();
    const { publishedView } = this.#frames;
    const isCaughtUp = account.paidView !== null && account.paidView < publishedView && publishedView <= view;
    account.paidView = Math.max(account.paidView ?? 0, view);
    if (isCaughtUp) for (const other of account.subscribers) other.wake();
    // Events that were published while the snapshot was executed still have to be paid.
    if (account.paidView < publishedView) this.refresh();
  }

  async #executeSnapshot(session: Session): Promise<Uint8Array> {
    const { price, watch } = this.#options;
    // Paid when the stream was opened.
    session.work.pay(price.check);
    const updates = await watch.snapshot(session);
    session.work.pay(price.of(updates.length));
    const events = await this.#eventsOf(updates, session);
    this.#price.learn(session.work.limitUnits, updates.length);
    return concatBytes([...events.values()].map(({ bytes }) => bytes));
  }

  async #eventsOf(updates: readonly Update[], session: Session): Promise<Map<string, StreamEvent>> {
    const events = await Promise.all(
      updates.map(async (update) => {
        await this.#turn();
        session.signal.throwIfAborted();
        this.#options.onExecuted();
        const content = await this.#options.execute(update, session);
        return [update.id, new StreamEvent(content, session.view.moment.id)] as const;
      }),
    );
    return new Map(events);
  }

  /** Opens a session. Afterwards those who paid are charged for what it drew beyond that. */
  async #inSession(
    {
      isFresh,
      caller = this.#options.key,
    }: { readonly isFresh: boolean; readonly caller: string | undefined },
    use: (session: Session, bill: Bill) => Promise<void>,
  ): Promise<void> {
    await this.#turn();
    this.#stop.signal.throwIfAborted();
    using deadline = deadlineSignal(this.#options.eventTimeoutMs, 'An event', this.#stop.signal);
    const sharing = { isFresh, resume: () => this.#turn() };
    const session = await this.#options.openSession(deadline.signal, sharing, caller);
    const bill: Bill = { payers: [] };
    try {
      await use(session, bill);
    } finally {
      session.work.settle((units) => {
        for (const payer of bill.payers) payer.charge(units);
      });
    }
  }

  /** The channels of one payer alone share its lane; a channel of several has a lane of its own. */
  #turn(): Promise<void> {
    const [payer] = this.#accounts.keys();
    return this.#options.turn(payer === undefined || this.#accounts.size > 1 ? this.#options.key : payer);
  }
}

function slowedNotice(skippedViews: number): object {
  const message = `The rate limit covers fewer events than this stream has: it skipped ${skippedViews} Views.`;
  return { message, skippedViews };
}
