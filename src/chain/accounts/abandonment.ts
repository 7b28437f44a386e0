import { abandonOn } from '@sluice/rpc-pool/abort';

/**
 * Like `abandonOn` for many callbacks per signal, with a single listener: adding a listener is linear in their number, and
 * filling a View takes a thousand reads.
 */
export class Abandonment {
  readonly #waiting = new Map<
    AbortSignal,
    { readonly callbacks: Set<() => void>; readonly unlink: () => void }
  >();

  on(signal: AbortSignal, abandon: () => void): () => void {
    const { callbacks, unlink } = this.#waiting.get(signal) ?? this.#begin(signal);
    callbacks.add(abandon);
    if (signal.aborted) abandon();
    return () => {
      if (!callbacks.delete(abandon) || callbacks.size > 0) return;
      this.#waiting.delete(signal);
      unlink();
    };
  }

  #begin(signal: AbortSignal) {
    const callbacks = new Set<() => void>();
    const abandonAll = () => {
      for (const abandon of callbacks) abandon();
    };
    const waiting = { callbacks, unlink: abandonOn(signal, abandonAll) };
    this.#waiting.set(signal, waiting);
    return waiting;
  }
}
