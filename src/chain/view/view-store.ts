import { abandonOn, cancellationError } from '@sluice/rpc-pool/abort';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { View } from './view.ts';
import { parseViewId } from './view-id.ts';

/** The newest View and a few older ones that clients may still name. */
export class ViewStore {
  readonly #retained: View[] = [];
  readonly #limit: number;
  readonly #listeners = new Set<(view: View) => void>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  publish(view: View): void {
    this.#retained.push(view);
    if (this.#retained.length > this.#limit) this.#retained.shift();
    for (const listener of [...this.#listeners]) listener(view);
  }

  /** Drops the Views of later slots, which the chain had not reached. Their ids are gone. */
  discardAfter(slot: bigint): void {
    const honest = this.#retained.filter(({ moment }) => moment.slot <= slot && moment.slotMax <= slot);
    this.#retained.splice(0, this.#retained.length, ...honest);
  }

  get newest(): View | undefined {
    return this.#retained.at(-1);
  }

  /** The newest View. @throws SluiceError VIEW_NOT_READY before the first */
  current(): View {
    const view = this.newest;
    if (view === undefined)
      throw new SluiceError('VIEW_NOT_READY', { reason: 'the first View is being read' });
    return view;
  }

  /** Resolves when there is a View, after the timeout, or when the signal is aborted, whichever is first. */
  async first(waitMs: number, signal: AbortSignal): Promise<void> {
    if (this.newest === undefined) await this.#published(() => true, waitMs, signal);
  }

  /**
   * The View with this id; undefined when it is not retained and does not arrive in time. Another gateway may have served
   * it before it arrives here, so it is waited for.
   */
  async arriving(id: string, waitMs: number, signal: AbortSignal): Promise<View | undefined> {
    if (waitMs > 0 && this.find(id) === undefined && this.#mayArrive(id))
      await this.#published(({ moment }) => moment.id === id, waitMs, signal);
    return this.find(id);
  }

  /** Views of one origin arrive in the order of their numbers. */
  #mayArrive(id: string): boolean {
    const asked = parseViewId(id);
    return (
      asked !== null &&
      this.#retained.every(({ moment }) => {
        const known = parseViewId(moment.id);
        return known?.origin !== asked.origin || known.number < asked.number;
      })
    );
  }

  /** Resolves when a wanted View is published, after the timeout, or when the signal is aborted, whichever is first. */
  async #published(isWanted: (view: View) => boolean, waitMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        unlink();
        stop();
        resolve();
      };
      const timer = setTimeout(done, waitMs);
      const unlink = abandonOn(signal, done);
      const stop = this.onView((view) => {
        if (isWanted(view)) done();
      });
    });
  }

  /** The View with this id; undefined when it has expired or belongs to another gateway. */
  find(id: string): View | undefined {
    return this.#retained.find((each) => each.moment.id === id);
  }

  /** The View with this id. @throws SluiceError VIEW_GONE when it is not retained */
  named(id: string): View {
    const newest = this.current();
    const view = this.find(id);
    if (view === undefined) throw new SluiceError('VIEW_GONE', { view: id, newest: newest.moment.id });
    return view;
  }

  /** Waits for a View that has reached the slot, by its own slot or by all its accounts. */
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

  /** Calls the listener with each new View. Returns the function that removes it. */
  onView(listener: (view: View) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
