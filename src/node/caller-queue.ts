/** Waiting items. Callers take turns; the items of a caller leave in the order in which they came. */
export class CallerQueue<T> {
  /** The caller whose turn is next comes first. */
  readonly #callers = new Map<string, T[]>();

  get isEmpty(): boolean {
    return this.#callers.size === 0;
  }

  /** Returns the function that withdraws the item. */
  add(caller: string, item: T): () => void {
    const items = this.#callers.get(caller) ?? [];
    items.push(item);
    this.#callers.set(caller, items);
    return () => {
      const at = items.indexOf(item);
      if (at < 0) return;
      items.splice(at, 1);
      if (items.length === 0) this.#callers.delete(caller);
    };
  }

  /** Removes and returns the next item; undefined when nobody waits. */
  take(): T | undefined {
    return this.takeOf(() => true)?.item;
  }

  /** Removes the next item of a caller that may proceed; null when there is none. */
  takeOf(mayProceed: (caller: string) => boolean): { readonly caller: string; readonly item: T } | null {
    for (const [caller, items] of this.#callers) {
      if (!mayProceed(caller)) continue;
      const item = items.shift();
      this.#callers.delete(caller);
      if (items.length > 0) this.#callers.set(caller, items);
      return item === undefined ? null : { caller, item };
    }
    return null;
  }
}
