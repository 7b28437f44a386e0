import { setImmediate } from 'node:timers/promises';
import { createRpc, createSolanaRpcApi, type Rpc, type RpcTransport, type SolanaRpcApi } from '@solana/kit';
import { abandonOn, cancellationError } from '../abort.ts';
import { RpcError } from '../rpc-error.ts';
import { AttemptFailure, callError, type FailedAttempt } from '../transport/attempt-failure.ts';
import { BodyBudget } from '../transport/body-budget.ts';
import { BODIES_IN_FLIGHT_BYTES } from '../transport/body-limits.ts';
import { type Clock, systemClock } from '../transport/clock.ts';
import { Endpoint } from '../transport/endpoint.ts';
import {
  type Distrust,
  type EndpointStatus,
  MAX_SLOT_LAG,
  type RpcCall,
} from '../transport/endpoint-status.ts';
import { slotOfResult } from '../transport/result-shapes.ts';
import { backOffMs } from '../transport/retry.ts';
import { minContextSlotOf, type RpcRequest, SLOT_REQUEST, toRpcRequest } from '../transport/rpc-request.ts';
import { hideSecrets, secretsOf } from '../transport/secrets.ts';
import { suspendableClock } from '../transport/suspendable-clock.ts';
import { EndpointTrust } from '../trust/endpoint-trust.ts';
import { TrustedTip } from '../trust/trusted-tip.ts';
import { withFastAccountResults } from './account-results.ts';
import { checkLimits, parseUrls } from './checked-options.ts';
import { EndpointQueue, type Place, type Preferences } from './endpoint-queue.ts';

export type { Clock } from '../transport/clock.ts';
export type { Distrust, EndpointStatus, RpcCall } from '../transport/endpoint-status.ts';

/** JSON-RPC error: minimum context slot has not been reached. */
const SLOT_NOT_REACHED = -32016;

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
  /** Whether the slots of a lone endpoint may jump, as those of test validators do. */
  readonly allowsWarp?: boolean;
  /**
   * Called between the steps of parsing a very large answer, which goes on when the promise resolves; null to go on at once.
   * By default, other work of the event loop runs in between.
   */
  readonly pause?: () => Promise<void> | null;
  /** Most bytes of all response bodies in flight. */
  readonly bodiesInFlightBytes?: number;
  /** Called when an attempt ends. */
  readonly onCall?: (call: RpcCall) => void;
  /** Called when an endpoint is taken out of use because of a false answer. */
  readonly onDistrust?: (endpoint: string, why: Distrust) => void;
  /** Called when a trusted slot turns out to be false, with the slot that is trusted instead. */
  readonly onGivenUp?: (slot: bigint) => void;
}

/** Several RPC endpoints as one. */
export interface EndpointPool {
  /**
   * Throws `RpcError`, or the reason of an aborted signal if that is an error with a code. Aborting the signal of a call ends its work at once. Read the data of account pages with
   * `bytesOf`: it may already be decoded.
   */
  readonly rpc: Rpc<SolanaRpcApi>;
  status(): readonly EndpointStatus[];
  /** Whether the chain can be at a slot that another source claims. */
  isReached(slot: bigint, signal: AbortSignal): Promise<boolean>;
  /** Whether the trusted slot is that of another gateway, and no endpoint has answered yet. */
  readonly isUnchecked: boolean;
  /** Whether slot and time (Unix seconds) of a View that another gateway has read can be true. */
  believes(
    claim: { readonly slot: bigint; readonly timestamp: bigint },
    signal: AbortSignal,
  ): Promise<boolean>;
  /** Checks whether the endpoints have reached the newest trusted slot. Call it when they seem to be behind. */
  review(signal: AbortSignal): Promise<void>;
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
  readonly #trustedTip: TrustedTip;
  readonly #trust: EndpointTrust;
  readonly #closing = new AbortController();
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #options: EndpointPoolOptions;
  readonly #clock: Clock;
  readonly #random: () => number;

  constructor(options: EndpointPoolOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    checkLimits(options);
    const urls = parseUrls(options.urls);
    const secrets = secretsOf(urls);
    const pause = options.pause ?? setImmediate;
    const bodies = new BodyBudget(options.bodiesInFlightBytes ?? BODIES_IN_FLIGHT_BYTES);
    this.#endpoints = urls.map(
      (url, index) =>
        new Endpoint(`rpc-${index + 1}`, url, {
          timeoutMs: options.timeoutMs,
          maxConcurrency: options.maxConcurrencyPerEndpoint,
          clock: this.#clock,
          hideSecrets: (text) => hideSecrets(text, secrets),
          bodies,
          pause,
          onCall: options.onCall,
        }),
    );
    this.#queue = new EndpointQueue(this.#endpoints, this.#clock, this.#random);
    const now = suspendableClock(this.#clock);
    this.#trustedTip = new TrustedTip({ now, allowsWarp: options.allowsWarp ?? false });
    this.#trust = new EndpointTrust({
      endpoints: this.#endpoints,
      trustedTip: this.#trustedTip,
      now,
      attempt: (endpoint, request) =>
        this.#track(this.#send({ endpoint, probe: endpoint.take() }, request, this.#closing.signal)),
      onDistrust: ({ name }, why) => options.onDistrust?.(name, why),
      onGivenUp: (slot) => options.onGivenUp?.(BigInt(slot)),
      inBackground: (run) => this.#inBackground(run),
    });
    const transport: RpcTransport = async <T>({ payload, signal }: Parameters<RpcTransport>[0]) => {
      const request = toRpcRequest(payload);
      const result = await this.#track(this.#callWithin(request, signal));
      return { jsonrpc: '2.0', id: request.id, result } as T;
    };
    const api = createSolanaRpcApi<SolanaRpcApi>({ defaultCommitment: 'confirmed' });
    this.rpc = createRpc({ api: withFastAccountResults(api, pause), transport });
  }

  status(): readonly EndpointStatus[] {
    return this.#endpoints.map((endpoint) => endpoint.status());
  }

  isReached(slot: bigint, signal: AbortSignal): Promise<boolean> {
    return this.#trust.isReached(Number(slot), signal);
  }

  get isUnchecked(): boolean {
    return this.#trustedTip.isUnchecked;
  }

  believes(
    { slot, timestamp }: { readonly slot: bigint; readonly timestamp: bigint },
    signal: AbortSignal,
  ): Promise<boolean> {
    return this.#track(this.#trust.believesShared({ slot: Number(slot), time: Number(timestamp) }, signal));
  }

  review(signal: AbortSignal): Promise<void> {
    return this.#track(this.#trust.review(signal));
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
      this.#tryDistrusted();
      const place = await this.#queue.acquire({ tried, excluded }, signal);
      if (place === null) throw attempts.length === 0 ? this.#nothingToTry(request) : fail();
      const { endpoint } = place;
      this.#probeUnused(endpoint);
      try {
        const isLast = attempts.length + 1 >= this.#options.maxAttempts;
        return await this.#attempt(place, request, signal, isLast ? null : { tried, excluded });
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

  /**
   * Makes one attempt and checks its answer. The answer of an endpoint that is far behind is not used while another one can be tried,
   * according to `preferences`.
   */
  async #attempt(
    place: Place,
    request: RpcRequest,
    signal: AbortSignal,
    preferences: Preferences | null,
  ): Promise<unknown> {
    const { endpoint } = place;
    const [startedAtMs, newestSlot] = [this.#clock.now(), this.#newestSlot()];
    const result = await this.#send(place, request, signal);
    const slot = slotOfResult(result, request.method);
    const isState = request.method !== 'getSlot';
    const isTooOld = isState && slot !== null && slot < minContextSlotOf(request);
    if (!isTooOld) await this.#trust.examine(endpoint, request, result, signal);
    if (slot === null) return result;
    endpoint.observeSlot(slot, newestSlot, startedAtMs);
    const isFarBehind = isState && (this.#trustedTip.slot ?? slot) - slot > MAX_SLOT_LAG;
    if (isTooOld || (isFarBehind && this.#hasOther(endpoint, preferences))) throw notReached();
    return result;
  }

  #hasOther(endpoint: Endpoint, preferences: Preferences | null): boolean {
    if (preferences === null) return false;
    return this.#queue.hasUntried({ ...preferences, tried: new Set([...preferences.tried, endpoint]) });
  }

  async #send({ endpoint, probe }: Place, request: RpcRequest, signal: AbortSignal): Promise<unknown> {
    try {
      return await endpoint.send(request, probe, signal);
    } finally {
      this.#queue.serve();
    }
  }

  /** Probes unused endpoints with getSlot, so that no caller has to find out whether they have recovered. */
  #probeUnused(chosen: Endpoint): void {
    for (const endpoint of this.#endpoints) {
      if (endpoint === chosen || !endpoint.isDueForCheck) continue;
      this.#probe(endpoint, SLOT_REQUEST, () => {});
    }
  }

  /** Repeats to distrusted endpoints the request that they answered falsely. */
  #tryDistrusted(): void {
    for (const endpoint of this.#endpoints) {
      const { trial } = endpoint;
      if (trial === null) continue;
      this.#probe(endpoint, trial, () => {
        endpoint.trust();
        this.#queue.serve();
      });
    }
  }

  #probe(endpoint: Endpoint, request: RpcRequest, onPassed: () => void): void {
    const place = { endpoint, probe: endpoint.take() };
    this.#track(this.#attempt(place, request, this.#closing.signal, null)).then(onPassed, () => {
      // The endpoint has recorded the failure.
    });
  }

  /** Only `onGivenUp` can fail, and the end of the pool; no call may fail for either. */
  #inBackground(run: (signal: AbortSignal) => Promise<void>): void {
    this.#track(run(this.#closing.signal)).catch(() => {});
  }

  #nothingToTry({ method }: RpcRequest): RpcError {
    const contradicts = this.#endpoints.some((endpoint) => !endpoint.isTrusted);
    if (contradicts)
      return new RpcError('RPC_BAD_RESPONSE', { method, reason: 'the endpoints contradict each other' });
    const limited = this.#endpoints.some((e) => e.isPaused && e.status().lastError === 'RPC_RATE_LIMITED');
    return limited
      ? new RpcError('RPC_RATE_LIMITED', { method })
      : new RpcError('RPC_UNAVAILABLE', { method, attempts: 0 });
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

/** As if the endpoint had said that it has not reached the slot. */
function notReached(): AttemptFailure {
  return new AttemptFailure('RPC_REFUSED', {
    reason: 'it is behind',
    endpointAtFault: false,
    refusal: { rpcCode: SLOT_NOT_REACHED, rpcMessage: 'Minimum context slot has not been reached' },
  });
}
