import { abandonOn } from '@sluice/rpc-pool/abort';
import { SluiceError } from '../errors/sluice-error.ts';

/** A signal with a timer. Dispose of it when the work is done. */
export interface Deadline extends Disposable {
  /** Aborted with DEADLINE_EXCEEDED at the deadline, or earlier with the reason of the parent. */
  readonly signal: AbortSignal;
}

/** `what` names the work in the error message, for callers of the API. */
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
