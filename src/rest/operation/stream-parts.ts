import { SluiceError } from '../../errors/sluice-error.ts';
import type { Exchange } from '../../http/exchange.ts';
import { pauseFor } from '../../node/pause-for.ts';
import { WorkBudget } from '../../node/work-budget.ts';
import type { Platform } from '../../services/platform/platform.ts';
import { requestDeadline } from '../../services/request/deadline.ts';
import type { Session } from '../../services/request/session.ts';

export interface StreamPartsOptions {
  readonly platform: Platform;
  readonly exchange: Exchange;
  /** Limit of each part. */
  readonly timeoutMs: number;
  /** Taken from the caller's allowance for each part. */
  readonly cost: number;
  /** Id of the View of the first part, which the others read while it is retained. */
  readonly view: string;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
}

const RETRY_MS = 1_000;
/** Shorter than the time after which a silent connection is closed. */
const PATIENCE_MS = 50_000;

/**
 * Runs the later parts of a stream, each in a session of its own with its own deadline and account of work: what a session
 * remembers is freed with it, and the caller's limit paces the stream.
 */
export function streamParts({ platform, exchange, timeoutMs, cost, view, signal }: StreamPartsOptions) {
  const { allowance, work } = exchange;
  const budget = allowance.streamBudget();
  return async <T>(run: (session: Session) => Promise<T>): Promise<T> => {
    for (let waitedMs = 0; !(await budget.spend(cost)); waitedMs += RETRY_MS) {
      signal.throwIfAborted();
      if (waitedMs >= PATIENCE_MS || !budget.isAdmitted()) {
        throw new SluiceError('DEADLINE_EXCEEDED', { what: 'Waiting for the rate limit' });
      }
      await pauseFor(RETRY_MS, signal);
    }
    using deadline = requestDeadline(timeoutMs, performance.now(), signal);
    const own = new WorkBudget({ ceiling: work.ceiling, caller: work.caller, signal: deadline.signal });
    own.pay(cost);
    try {
      return await run(await platform.openSession({ continues: view, work: own }));
    } finally {
      own.settle((units) => budget.charge(units));
    }
  };
}
