import type { Params } from './params.ts';

/** What goes wrong with an answer. */
export interface Fault {
  /** Holds back the finished answer, which may be out of date when it arrives. */
  readonly delayMs?: number;
  /** Answers with this HTTP status instead. */
  readonly status?: number;
  /** With a status: how long the client is told to wait. */
  readonly retryAfterSeconds?: number;
  /** Answers something that is not JSON, with status 200. */
  readonly garbage?: boolean;
  /** Sends half of the answer, then cuts the connection. */
  readonly halfBody?: boolean;
  /** Never answers. A notification is never sent. */
  readonly hang?: boolean;
  /** Cuts the connection without an answer. */
  readonly reset?: boolean;
  /** Answers `result: null`. */
  readonly nullResult?: boolean;
  /** Answers a JSON-RPC error. */
  readonly rpcError?: { readonly code: number; readonly message: string };
  /** Answers as of another slot: -10 is a node that lags ten slots behind. */
  readonly slotOffset?: number;
}

/** When a fault happens. In a batch, what concerns the connection happens to the whole batch. */
export interface FaultRule extends Fault {
  /** A method, or a notification such as `accountNotification`; every one when left out. */
  readonly method?: string;
  /** The first so many that match; all of them when left out. */
  readonly times?: number;
  readonly when?: (method: string, params: Params) => boolean;
}

interface ActiveRule {
  readonly rule: FaultRule;
  left: number;
}

/** Makes a server misbehave on purpose. With no rules it does nothing. */
export class FaultInjector {
  /** Added to every HTTP answer. */
  latencyMs = 0;
  /** Answers 503 to attempts to open a WebSocket. */
  refuseWebSockets = false;
  readonly #rules = new Set<ActiveRule>();
  readonly #dropListeners = new Set<() => void>();

  /** Returns the way to take the rule back. */
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

  /** All faults of one call together, and counts them as used. Of two that say the same, the later rule wins. */
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

  /** Cuts every open WebSocket. */
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
