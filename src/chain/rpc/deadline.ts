import { SluiceError } from '../../errors/sluice-error.ts';
import { abandonOn } from './cancellation.ts';

/** A signal with a timer behind it. Dispose of it when the work is done. */
export interface Deadline extends Disposable {
  /** Aborted with DEADLINE_EXCEEDED when the time is over, or with the reason of the parent before that. */
  readonly signal: AbortSignal;
}

/** `what` is the work as the caller of the API knows it; it opens the message of the error. */
export function deadlineSignal(ms: number, what: string, parent?: AbortSignal): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new SluiceError('DEADLINE_EXCEEDED', { what })), ms);
  const unlink = parent === undefined ? undefined : abandonOn(parent, (reason) => controller.abort(reason));
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      clearTimeout(timer);
      unlink?.();
    },
  };
}
