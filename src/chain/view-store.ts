import { SluiceError } from '../errors/sluice-error.ts';
import { abandonOn, cancellationError } from './rpc/cancellation.ts';
import type { View } from './view.ts';

/** The newest View and the few before it that clients may still name. */
export class ViewStore {
  readonly #kept: View[] = [];
  readonly #limit: number;
  readonly #listeners = new Set<(view: View) => void>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  publish(view: View): void {
    this.#kept.push(view);
    if (this.#kept.length > this.#limit) this.#kept.shift();
    for (const listener of [...this.#listeners]) listener(view);
  }

  get newest(): View | undefined {
    return this.#kept.at(-1);
  }

  /** The newest View; a coded error while the first one is being read. */
  current(): View {
    const view = this.newest;
    if (view === undefined)
      throw new SluiceError('VIEW_NOT_READY', { reason: 'the first View is being read' });
    return view;
  }

  /** Resolves with the first View, after a while, or when the signal is aborted: whichever comes first. */
  async first(waitMs: number, signal: AbortSignal): Promise<void> {
    if (this.newest !== undefined || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        unlink();
        stop();
        resolve();
      };
      const timer = setTimeout(done, waitMs);
      const unlink = abandonOn(signal, done);
      const stop = this.onView(done);
    });
  }

  /** Whether the View of that number can still be read. */
  has(number: number): boolean {
    return this.#kept.some((each) => each.moment.number === number);
  }

  /** The View of that number; a coded error when it is no longer, or not yet, there. */
  numbered(number: number): View {
    const newest = this.current();
    const view = this.#kept.find((each) => each.moment.number === number);
    if (view === undefined) {
      const oldest = this.#kept[0]?.moment.number ?? newest.moment.number;
      throw new SluiceError('VIEW_GONE', { view: number, oldest, newest: newest.moment.number });
    }
    return view;
  }

  /** The newest View as soon as one has reached the slot: with its own slot, or with all its accounts. */
  async reaching(slot: bigint, by: 'slot' | 'slotWhole', signal: AbortSignal): Promise<View> {
    const newest = this.newest;
    if (newest !== undefined && newest.moment[by] >= slot) return newest;
    return await new Promise((resolve, reject) => {
      const stop = this.onView((view) => {
        if (view.moment[by] < slot) return;
        stop();
        unlink();
        resolve(view);
      });
      const unlink = abandonOn(signal, () => {
        stop();
        const at = String(this.newest?.moment[by] ?? 0n);
        const cause = cancellationError(signal, 'Waiting for a slot');
        reject(
          cause.code === 'REQUEST_CANCELLED'
            ? cause
            : new SluiceError('MIN_SLOT_NOT_REACHED', { minSlot: String(slot), slot: at }, { cause }),
        );
      });
    });
  }

  /** Called with each new View. Returns the way to stop. */
  onView(listener: (view: View) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
