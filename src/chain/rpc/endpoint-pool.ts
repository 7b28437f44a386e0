import { createRpc, createSolanaRpcApi, type Rpc, type RpcTransport, type SolanaRpcApi } from '@solana/kit';
import { SluiceError } from '../../errors/sluice-error.ts';
import { withFastAccountResults } from './account-results.ts';
import { AttemptFailure, callError, type FailedAttempt } from './attempt-failure.ts';
import { abandonOn, cancellationError } from './cancellation.ts';
import { type Clock, systemClock } from './clock.ts';
import { Endpoint } from './endpoint.ts';
import { EndpointQueue, type Place } from './endpoint-queue.ts';
import type { EndpointStatus, RpcCall } from './endpoint-status.ts';
import { backOffMs } from './retry.ts';
import { type RpcRequest, SLOT_REQUEST, toRpcRequest } from './rpc-request.ts';
import { hideSecrets, secretsOf } from './secrets.ts';

export type { Clock } from './clock.ts';
export type { EndpointStatus, RpcCall } from './endpoint-status.ts';

export interface EndpointPoolOptions {
  /** At least one. They may contain keys and are never shown. */
  readonly urls: readonly string[];
  /** Time limit of one attempt, up to the last byte of its answer. */
  readonly timeoutMs: number;
  readonly maxConcurrencyPerEndpoint: number;
  /** Attempts per call, over all endpoints. */
  readonly maxAttempts: number;
  readonly clock?: Clock;
  /** In [0, 1). */
  readonly random?: () => number;
  /** Called when an attempt ends. */
  readonly onCall?: (call: RpcCall) => void;
}

/** Several RPC endpoints as one. */
export interface EndpointPool {
  /**
   * Throws `SluiceError` only. Aborting the signal of a call ends its work at once. Read the data of account pages with
   * `bytesOf`: it may already be decoded.
   */
  readonly rpc: Rpc<SolanaRpcApi>;
  status(): readonly EndpointStatus[];
  /** Cancels every call and closes every connection. */
  close(): Promise<void>;
}

export function createEndpointPool(options: EndpointPoolOptions): EndpointPool {
  return new Pool(options);
}

class Pool implements EndpointPool {
  readonly rpc: Rpc<SolanaRpcApi>;
  readonly #endpoints: readonly Endpoint[];
  readonly #queue: EndpointQueue;
  readonly #closing = new AbortController();
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #options: EndpointPoolOptions;
  readonly #clock: Clock;
  readonly #random: () => number;

  constructor(options: EndpointPoolOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    const urls = parseUrls(options.urls);
    const secrets = secretsOf(urls);
    this.#endpoints = urls.map(
      (url, index) =>
        new Endpoint(`rpc-${index + 1}`, url, {
          timeoutMs: options.timeoutMs,
          maxConcurrency: options.maxConcurrencyPerEndpoint,
          clock: this.#clock,
          hideSecrets: (text) => hideSecrets(text, secrets),
          newestSlot: () => this.#newestSlot(),
          onCall: options.onCall,
        }),
    );
    this.#queue = new EndpointQueue(this.#endpoints, this.#clock, this.#random);
    const transport: RpcTransport = async <T>({ payload, signal }: Parameters<RpcTransport>[0]) => {
      const request = toRpcRequest(payload);
      const result = await this.#track(this.#callWithin(request, signal));
      return { jsonrpc: '2.0', id: request.id, result } as T;
    };
    const api = createSolanaRpcApi<SolanaRpcApi>({ defaultCommitment: 'confirmed' });
    this.rpc = createRpc({ api: withFastAccountResults(api), transport });
  }

  status(): readonly EndpointStatus[] {
    return this.#endpoints.map((endpoint) => endpoint.status());
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#underWay);
    for (const endpoint of this.#endpoints) endpoint.close();
  }

  /** Runs a call until it ends, its signal is aborted or the pool is closed. */
  async #callWithin(request: RpcRequest, signal: AbortSignal | undefined): Promise<unknown> {
    const call = new AbortController();
    const cancel = (reason: unknown) => call.abort(reason);
    const unlinks = [this.#closing.signal, signal].map((parent) => parent && abandonOn(parent, cancel));
    try {
      return await this.#call(request, call.signal);
    } catch (error) {
      throw call.signal.aborted ? cancellationError(call.signal, request.method) : error;
    } finally {
      for (const unlink of unlinks) unlink?.();
    }
  }

  async #call(request: RpcRequest, signal: AbortSignal): Promise<unknown> {
    const attempts: FailedAttempt[] = [];
    const tried = new Set<Endpoint>();
    const excluded = new Set<Endpoint>();
    const fail = () => callError(request.method, attempts, this.#options.timeoutMs);
    for (let round = 0; ; ) {
      const place = await this.#queue.acquire({ tried, excluded }, signal);
      if (place === null) throw attempts.length === 0 ? this.#nothingToTry(request) : fail();
      const { endpoint } = place;
      this.#checkOthers(endpoint);
      try {
        return await this.#send(place, request, signal);
      } catch (error) {
        if (!(error instanceof AttemptFailure)) throw error;
        attempts.push({ endpoint: endpoint.name, failure: error });
        if (error.retry === 'NEVER' || attempts.length >= this.#options.maxAttempts) throw fail();
        tried.add(endpoint);
        if (error.retry === 'ELSEWHERE') excluded.add(endpoint);
        const waitMs = backOffMs(round, this.#random());
        if (error.code === 'RPC_RATE_LIMITED' && error.retryAfterMs === null) endpoint.pause(waitMs);
        if (this.#queue.hasUntried({ tried, excluded })) continue;
        tried.clear();
        round += 1;
        // The queue waits for paused endpoints, and does not wait for excluded ones.
        if (!endpoint.isPaused && error.retry === 'ANYWHERE') {
          await this.#clock.sleep(waitMs, signal);
        }
      }
    }
  }

  async #send({ endpoint, probe }: Place, request: RpcRequest, signal: AbortSignal): Promise<unknown> {
    try {
      return await endpoint.send(request, probe, signal);
    } finally {
      this.#queue.serve();
    }
  }

  /** Probes unused endpoints with getSlot, so that no caller has to find out whether they have recovered. */
  #checkOthers(chosen: Endpoint): void {
    for (const endpoint of this.#endpoints) {
      if (endpoint === chosen || !endpoint.isDueForCheck) continue;
      const place = { endpoint, probe: endpoint.take() };
      this.#track(this.#send(place, SLOT_REQUEST, this.#closing.signal)).catch(() => {
        // The endpoint has recorded the failure.
      });
    }
  }

  #nothingToTry({ method }: RpcRequest): SluiceError {
    const limited = this.#endpoints.some((e) => e.isPaused && e.status().lastError === 'RPC_RATE_LIMITED');
    return limited
      ? new SluiceError('RPC_RATE_LIMITED', { method })
      : new SluiceError('RPC_UNAVAILABLE', { method, attempts: 0 });
  }

  #newestSlot(): number | null {
    const slots = this.#endpoints.map((endpoint) => endpoint.slot).filter((slot) => slot !== null);
    return slots.length === 0 ? null : Math.max(...slots);
  }

  #track<T>(work: Promise<T>): Promise<T> {
    const tracked = work.finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
    return tracked;
  }
}

/** The error does not quote the URLs: they may contain keys. */
function parseUrls(urls: readonly string[]): readonly URL[] {
  const parsed = urls.map((url) => (URL.canParse(url) ? new URL(url) : null));
  const usable = parsed.filter((url) => url !== null).filter((url) => /^https?:$/.test(url.protocol));
  if (usable.length === 0 || usable.length < urls.length) {
    throw new SluiceError('CONFIG_INVALID', {
      variable: 'SOLANA_RPC_URLS',
      allowed: 'give one or more http:// or https:// URLs',
    });
  }
  return usable;
}
