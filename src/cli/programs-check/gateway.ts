import { setTimeout as pause } from 'node:timers/promises';
import { type App, createApp } from '../../app/app.ts';
import type { Config } from '../../config/config.ts';
import { GRAPHQL_PATH } from '../../graphql/server.ts';

/** Longest wait for the state after a transaction that was sent. */
const SLOT_WAIT_MS = 20_000;
const SLOT_POLL_MS = 200;

/** An error of the gateway: a refusal, or a field that could not be resolved. */
export class GraphError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export interface GraphAnswer<T> {
  readonly data: T | null;
  readonly errors: readonly GraphError[];
}

export type Ask = <T>(
  document: string,
  variables: Readonly<Record<string, unknown>>,
) => Promise<GraphAnswer<T>>;

/** A gateway over the RPC endpoint being checked. */
export interface Gateway {
  readonly ask: Ask;
  /** From now on reads use a state at or after this slot, so they see what was sent. */
  notBefore(slot: bigint): void;
  stop(): Promise<void>;
}

interface Body {
  readonly data?: unknown;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions?: { readonly code?: string };
  }[];
}

/**
 * Starts a gateway and waits for its first View. Throws the error that a request would get if there is none
 * in time.
 */
export async function startGateway(config: Config, slotWaitMs = SLOT_WAIT_MS): Promise<Gateway> {
  const app = await createApp(config);
  try {
    await firstView(app, config.RPC_TIMEOUT_MS * config.RPC_MAX_ATTEMPTS);
  } catch (error) {
    await app.stop();
    throw error;
  }
  let minSlot: bigint | undefined;
  const once = async <T>(
    query: string,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<GraphAnswer<T>> => {
    const headers = {
      'content-type': 'application/json',
      ...(minSlot === undefined ? {} : { 'x-min-slot': String(minSlot) }),
    };
    const body = JSON.stringify({ query, variables });
    const request = new Request(`http://gateway.invalid${GRAPHQL_PATH}`, { method: 'POST', headers, body });
    const { data, errors = [] } = (await (await app.fetch(request)).json()) as Body;
    return {
      data: (data ?? null) as T | null,
      errors: errors.map(({ message, extensions }) => new GraphError(extensions?.code ?? 'ERROR', message)),
    };
  };
  const ask: Ask = async <T>(query: string, variables: Readonly<Record<string, unknown>>) => {
    const deadline = performance.now() + slotWaitMs;
    for (;;) {
      const answer = await once<T>(query, variables);
      if (!answer.errors.some(({ code }) => code === 'MIN_SLOT_NOT_REACHED')) return answer;
      if (performance.now() > deadline) return answer;
      await pause(SLOT_POLL_MS);
    }
  };
  return {
    ask,
    notBefore(slot) {
      minSlot = slot;
    },
    stop: () => app.stop(),
  };
}

/** The data of a response that must not contain errors. */
export function whole<T>({ data, errors: [error] }: GraphAnswer<T>): T {
  if (error !== undefined) throw error;
  if (data === null) throw new GraphError('ERROR', 'The gateway returned no data.');
  return data;
}

async function firstView({ chain: { views } }: App, timeoutMs: number): Promise<void> {
  if (views.newest !== undefined) return;
  const ready = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), timeoutMs);
    const stop = views.onView(() => {
      stop();
      clearTimeout(timer);
      resolve(true);
    });
  });
  // Without a View this throws the error that a request would get.
  if (!ready) views.current();
}
