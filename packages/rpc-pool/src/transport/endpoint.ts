import { cancellationError, isCodedReason } from '../abort.ts';
import type { Pause } from './account-json.ts';
import { AttemptFailure, type AttemptFailureCode } from './attempt-failure.ts';
import type { BodyBudget } from './body-budget.ts';
import { maxBodyBytes } from './body-limits.ts';
import { CircuitBreaker, FIRST_COOL_DOWN_MS } from './circuit-breaker.ts';
import type { Clock } from './clock.ts';
import { type Distrust, type EndpointStatus, MAX_SLOT_LAG, type RpcCall } from './endpoint-status.ts';
import { HttpChannel, type HttpReply } from './http-channel.ts';
import { readBody, readResult } from './rpc-answer.ts';
import type { RpcRequest } from './rpc-request.ts';

/** Weight of the newest sample in the moving average. */
const LATENCY_WEIGHT = 0.2;
/** An older measurement is discarded and the endpoint measured again. */
const LATENCY_TTL_MS = 30_000;
/** Interval between trials of a distrusted endpoint. */
export const TRIAL_INTERVAL_MS = 1_000;

export interface EndpointOptions {
  readonly timeoutMs: number;
  readonly maxConcurrency: number;
  readonly clock: Clock;
  readonly hideSecrets: (text: string) => string;
  readonly bodies: BodyBudget;
  readonly pause: Pause;
  readonly onCall: ((call: RpcCall) => void) | undefined;
}

/** One RPC URL with its health. */
export class Endpoint {
  readonly name: string;
  readonly circuit: CircuitBreaker;
  readonly #channel: HttpChannel;
  readonly #options: EndpointOptions;
  #inFlight = 0;
  #latency: { readonly ms: number; readonly atMs: number } | null = null;
  #slot: { readonly slot: number; readonly lag: number; readonly atMs: number } | null = null;
  #pausedUntilMs = 0;
  #askedAtMs = 0;
  #lastError: AttemptFailureCode | null = null;
  #distrust: { readonly why: Distrust; readonly evidence: RpcRequest; readonly atMs: number } | null = null;

  constructor(name: string, url: URL, options: EndpointOptions) {
    this.name = name;
    this.circuit = new CircuitBreaker(options.clock);
    this.#channel = new HttpChannel(url, options.maxConcurrency, options.bodies);
    this.#options = options;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get hasRoom(): boolean {
    return this.#inFlight < this.#options.maxConcurrency;
  }

  /** The newest slot seen from it. */
  get slot(): number | null {
    return this.#slot?.slot ?? null;
  }

  get isBehind(): boolean {
    return (this.#slot?.lag ?? 0) > MAX_SLOT_LAG;
  }

  get isHealthy(): boolean {
    return this.answers && !this.isBehind && this.isTrusted;
  }

  /** Whether its last attempt was answered. */
  get answers(): boolean {
    return this.circuit.state === 'CLOSED' && this.circuit.consecutiveFailures === 0;
  }

  get isTrusted(): boolean {
    return this.#distrust === null;
  }

  /** The request that it answered falsely, when it is time to repeat it. */
  get trial(): RpcRequest | null {
    if (this.#distrust === null || this.isPaused || !this.circuit.admits) return null;
    const rested = this.#options.clock.now() >= this.#distrust.atMs + TRIAL_INTERVAL_MS;
    return rested && this.#inFlight === 0 ? this.#distrust.evidence : null;
  }

  /** Takes it out of use until it answers the same request truthfully. */
  distrust(why: Distrust, evidence: RpcRequest): void {
    this.#distrust = { why, evidence, atMs: this.#options.clock.now() };
    this.#slot = null;
  }

  trust(): void {
    this.#distrust = null;
  }

  /** Drops what is known of its slot. */
  forgetSlot(): void {
    this.#slot = null;
  }

  get pausedUntilMs(): number {
    return this.#pausedUntilMs;
  }

  /** Whether it requested a pause or limits our rate. */
  get isPaused(): boolean {
    return this.#pausedUntilMs > this.#options.clock.now();
  }

  /** Whether it was unused for long enough to be probed for recovery, in addition to user calls. */
  get isDueForCheck(): boolean {
    const now = this.#options.clock.now();
    const rested = now >= this.#askedAtMs + FIRST_COOL_DOWN_MS && !this.isPaused && this.#inFlight === 0;
    return !this.isHealthy && this.isTrusted && this.circuit.admits && rested;
  }

  /** For choosing between endpoints. 0 when unknown, so that it is measured. */
  get expectedLatencyMs(): number {
    const fresh = this.#latency !== null && this.#options.clock.now() - this.#latency.atMs < LATENCY_TTL_MS;
    return fresh ? (this.#latency?.ms ?? 0) : 0;
  }

  /** Stops new calls for a while. */
  pause(ms: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#options.clock.now() + ms);
  }

  /**
   * Reserves a place, which `send` releases. Separate from `send`, so that choosing and reserving are one synchronous step.
   * Returns whether the call is the probe of the circuit.
   */
  take(): boolean {
    this.#inFlight += 1;
    this.#askedAtMs = this.#options.clock.now();
    return this.circuit.begin();
  }

  /** Makes one attempt. @throws AttemptFailure, or the error of an aborted signal */
  async send(request: RpcRequest, probe: boolean, signal: AbortSignal): Promise<unknown> {
    const { clock, timeoutMs, hideSecrets, pause } = this.#options;
    const startedAtMs = clock.now();
    let responseBytes = 0;
    let refusedBody: RpcCall['refusedBody'] = null;
    let outcome: RpcCall['outcome'] = 'ok';
    try {
      const reply = await this.#channel.post(
        {
          body: request.body,
          timeoutMs,
          maxBytes: maxBodyBytes(request),
          read: (body) => readBody(request, body, pause),
        },
        signal,
      );
      responseBytes = reply.bytes;
      const result = readResult(request, reply, clock.now(), hideSecrets);
      this.circuit.succeeded();
      this.#observeLatency(request, reply);
      return result;
    } catch (error) {
      const failure = signal.aborted ? cancellationError(signal, request.method) : error;
      if (failure instanceof AttemptFailure) {
        outcome = failure.code;
        refusedBody = failure.refusedBody;
        this.#lastError = failure.code;
        this.#observeFailure(failure, probe);
      } else {
        outcome = isCodedReason(failure) ? failure.code : 'INTERNAL';
        this.#observeCancellation(clock.now() - startedAtMs, probe);
      }
      throw failure;
    } finally {
      this.#inFlight -= 1;
      this.#options.onCall?.({
        endpoint: this.name,
        method: request.method,
        durationMs: clock.now() - startedAtMs,
        requestBytes: Buffer.byteLength(request.body),
        responseBytes,
        outcome,
        refusedBody,
      });
    }
  }

  status(): EndpointStatus {
    return {
      name: this.name,
      healthy: this.isHealthy,
      slotLag: this.#slot === null ? null : BigInt(this.#slot.lag),
      latencyMs: this.#latency?.ms ?? null,
      circuit: this.circuit.state,
      inFlight: this.#inFlight,
      lastError: this.#lastError,
      distrust: this.#distrust?.why ?? null,
    };
  }

  close(): void {
    this.#channel.close();
  }

  #observeFailure(failure: AttemptFailure, probe: boolean): void {
    if (failure.retryAfterMs !== null) this.pause(failure.retryAfterMs);
    // An endpoint that limits our rate is alive: a pause is enough.
    if (!failure.endpointAtFault || failure.code === 'RPC_RATE_LIMITED') this.circuit.succeeded();
    else this.circuit.failed(probe);
  }

  /** A late cancellation counts as a timeout; an early one is a lower bound of the latency. */
  #observeCancellation(elapsedMs: number, probe: boolean): void {
    if (elapsedMs >= this.#options.timeoutMs / 2) this.circuit.failed(probe);
    else this.circuit.abandoned(probe);
    if (elapsedMs > (this.#latency?.ms ?? 0)) this.#sampleLatency(elapsedMs);
  }

  #observeLatency({ method }: RpcRequest, { waitMs }: HttpReply<unknown>): void {
    // The duration of a scan depends on the program, not on the endpoint.
    if (method !== 'getProgramAccounts') this.#sampleLatency(waitMs);
  }

  #sampleLatency(ms: number): void {
    const before = this.#latency?.ms ?? ms;
    this.#latency = { ms: before + (ms - before) * LATENCY_WEIGHT, atMs: this.#options.clock.now() };
  }

  /**
   * Measures the lag against the newest slot known when the call began: an endpoint that was up to date then cannot answer
   * with an older slot, however long the answer took.
   */
  observeSlot(slot: number, newestSlot: number | null, startedAtMs: number): void {
    if (this.#slot !== null && startedAtMs < this.#slot.atMs && slot < this.#slot.slot) return;
    this.#slot = { slot, lag: Math.max((newestSlot ?? slot) - slot, 0), atMs: this.#options.clock.now() };
  }
}
