import { onTestFinished, vi } from 'vitest';
import { type CodedReason, isCodedReason } from '../../src/abort.ts';
import {
  createEndpointPool,
  type EndpointPool,
  type EndpointPoolOptions,
} from '../../src/pool/endpoint-pool.ts';
import { ManualClock, type Script, type ScriptedRpc, startScriptedRpc } from './scripted-rpc.ts';

/** A server that stops with the test. */
export async function serve(script: Script, port?: number): Promise<ScriptedRpc> {
  const server = await startScriptedRpc(script, port);
  onTestFinished(() => server.stop());
  return server;
}

export interface TestPool extends EndpointPool {
  readonly clock: ManualClock;
}

/** A pool that closes with the test. Its clock advances only when the pool sleeps. */
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
  onTestFinished(() => pool.close());
  return Object.assign(pool, { clock });
}

/** Stops the timers of this process for a test. The returned function fires every timer that is set. */
export function stopTimers(): () => void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  return () => void vi.runOnlyPendingTimers();
}

/** The error with a code of a call that must fail. */
export async function failureOf(call: Promise<unknown>): Promise<CodedReason> {
  const error = await call.then(
    (value) => new Error(`it answered ${String(value)}`),
    (reason: unknown) => reason,
  );
  if (isCodedReason(error)) return error;
  throw error;
}

// Taken before a test installs fake timers.
const realSetTimeout = globalThis.setTimeout;

/** Polls until a condition holds. The test timeout is the only bound. */
export async function until(happened: () => boolean): Promise<void> {
  while (!happened()) await new Promise((resolve) => realSetTimeout(resolve, 2));
}
