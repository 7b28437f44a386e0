import type { Params } from './params.ts';

/** Fault of a response. */
export interface Fault {
  /** Delays the finished response, which may be outdated when it arrives. */
  readonly delayMs?: number;
  /** Responds with this HTTP status instead. */
  readonly status?: number;
  /** Sent with `status`: how long the client should wait. */
  readonly retryAfterSeconds?: number;
  /** Responds with status 200 and a body that is not JSON. */
  readonly garbage?: boolean;
  /** Sends half of the response, then closes the connection. */
  readonly halfBody?: boolean;
  /** Never responds. A notification is never sent. */
  readonly hang?: boolean;
  /** Closes the connection without a response. */
  readonly reset?: boolean;
  /** Responds with `result: null`. */
  readonly nullResult?: boolean;
  /** Responds with a JSON-RPC error. */
  readonly rpcError?: { readonly code: number; readonly message: string };
  /** Answers as of another slot: -10 is a node that lags by ten slots. */
  readonly slotOffset?: number;
}

/** When a fault applies. In a batch, connection faults apply to the whole batch. */
export interface FaultRule extends Fault {
  /** A method, or a notification such as `accountNotification`; omit for all. */
  readonly method?: string;
  /** Applies to the first matches only; omit for all. */
  readonly times?: number;
  readonly when?: (method: string, params: Params) => boolean;
}

interface ActiveRule {
  readonly rule: FaultRule;
  left: number;
}

/** Makes a server misbehave on purpose. Does nothing without rules. */
export class FaultInjector {
  /** Added to every HTTP response. */
  latencyMs = 0;
  /** Answers WebSocket upgrades with 503. */
  refuseWebSockets = false;
  readonly #rules = new Set<ActiveRule>();
  readonly #dropListeners = new Set<() => void>();

  /** Returns a function that removes the rule. */
  add(rule: FaultRule): () => void {
    const active = { rule, left: rule.times ?? Number.POSITIVE_INFINITY };
    this.#rules.add(active);
    return () => {
      this.#rules.delete(active);
    };
  }

  clear(): void {
    this.#rules.clear();
    this.latencyMs = 0;
    this.refuseWebSockets = false;
  }

  /** Combines all faults for one call and counts them as used. On a conflict the later rule wins. */
  take(method: string, params: Params): Fault {
    let fault: Fault = {};
    for (const active of this.#rules) {
      const { method: wanted, times: _times, when, ...effect } = active.rule;
      if (wanted !== undefined && wanted !== method) continue;
      if (when !== undefined && !when(method, params)) continue;
      active.left -= 1;
      if (active.left <= 0) this.#rules.delete(active);
      fault = { ...fault, ...effect };
    }
    return fault;
  }

  /** Closes every open WebSocket. */
  dropWebSockets(): void {
    for (const listener of this.#dropListeners) listener();
  }

  onDropWebSockets(listener: () => void): () => void {
    this.#dropListeners.add(listener);
    return () => {
      this.#dropListeners.delete(listener);
    };
  }
}
