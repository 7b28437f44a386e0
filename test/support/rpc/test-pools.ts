import { afterEach } from 'vitest';
import {
  createEndpointPool,
  type EndpointPool,
  type EndpointPoolOptions,
} from '../../../src/chain/rpc/endpoint-pool.ts';
import { isSluiceError, type SluiceError } from '../../../src/errors/sluice-error.ts';
import { ManualClock, type Script, type ScriptedRpc, startScriptedRpc } from './scripted-rpc.ts';

const opened: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

/** Servers and pools that end with the test. */
export async function serve(script: Script, port?: number): Promise<ScriptedRpc> {
  const server = await startScriptedRpc(script, port);
  opened.push({ close: () => server.stop() });
  return server;
}

export interface TestPool extends EndpointPool {
  readonly clock: ManualClock;
}

/** A pool whose time stands still unless it sleeps. */
export function poolOver(
  urls: readonly string[],
  options: Partial<EndpointPoolOptions> & { clock?: ManualClock } = {},
): TestPool {
  const clock = options.clock ?? new ManualClock();
  const pool = createEndpointPool({
    urls,
    timeoutMs: 5_000,
    maxConcurrencyPerEndpoint: 8,
    maxAttempts: 4,
    random: () => 0.5,
    ...options,
    clock,
  });
  opened.push(pool);
  return Object.assign(pool, { clock });
}

/** The coded error of a call that must fail. */
export async function failureOf(call: Promise<unknown>): Promise<SluiceError> {
  const error = await call.then(
    (value) => new Error(`it answered ${String(value)}`),
    (reason: unknown) => reason,
  );
  if (isSluiceError(error)) return error;
  throw error;
}

/** Waits, without a fixed time, until something that another process or socket does has happened. */
export async function until(happened: () => boolean): Promise<void> {
  while (!happened()) await new Promise((resolve) => setTimeout(resolve, 2));
}
