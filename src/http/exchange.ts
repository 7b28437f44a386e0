import type { IncomingMessage } from 'node:http';
import type { WorkBudget } from '../node/work-budget.ts';
import type { RequestTrace } from '../telemetry/request-trace.ts';
import type { Allowance } from './allowance.ts';

/** A request in progress: its identity, who pays for it, and what is logged about it. */
export interface Exchange {
  readonly method: string;
  /** Path and query, as received. */
  readonly target: string;
  readonly trace: RequestTrace;
  /** Work starts only after its cost was taken from here. */
  readonly allowance: Allowance;
  /** The account of all work for the request. */
  readonly work: WorkBudget;
  /** Milliseconds of `performance.now()`. */
  readonly startedAt: number;
  /** Awaited before a long computation, so that callers alternate. Null to go on at once. */
  readonly turn: () => Promise<void> | null;
}

/** The socket side of a request; absent for requests that are made in process. */
export interface Connection {
  readonly incoming?: {
    readonly url?: string | undefined;
    readonly headers?: IncomingMessage['headers'];
    readonly socket?: { readonly remoteAddress?: string | undefined };
    /** The body, if the server has read it already. */
    readonly rawBody?: Buffer;
  };
}

/** Reads the headers of an incoming message the way `Headers` does. */
export function headersOf({ headers }: IncomingMessage): Pick<Headers, 'get'> {
  return {
    get(name) {
      const value = headers[name];
      return value === undefined ? null : String(value);
    },
  };
}
