import { abandonOn, unlessAborted } from '../abort.ts';
import { AttemptFailure } from '../transport/attempt-failure.ts';
import type { Endpoint } from '../transport/endpoint.ts';
import type { Distrust } from '../transport/endpoint-status.ts';
import { CLOCK_REQUEST, notBeforeSlot, type RpcRequest } from '../transport/rpc-request.ts';
import { KnownAccounts } from './known-accounts.ts';
import { InconsistentAnswer, type ReportedTip, reportedTipOf } from './reported-tip.ts';
import { MAX_SLOT_SPREAD, type TrustedTip } from './trusted-tip.ts';

/** Interval at which all endpoints are asked about a slot that only one of them has reported. */
const CORROBORATION_INTERVAL_MS = 5_000;
/** Longest time that a View of another gateway waits for the endpoints. */
const SHARED_CLAIM_MS = 2_000;

export interface EndpointTrustOptions {
  readonly endpoints: readonly Endpoint[];
  readonly trustedTip: TrustedTip;
  readonly now: () => number;
  /** Makes one attempt at an endpoint, whatever its state. */
  readonly attempt: (endpoint: Endpoint, request: RpcRequest) => Promise<unknown>;
  readonly onDistrust: (endpoint: Endpoint, why: Distrust) => void;
  /** Called when a trusted slot is abandoned, with the slot that is trusted instead. */
  readonly onGivenUp: (slot: number) => void;
  /** Runs work that no call waits for. The signal ends it with the pool. */
  readonly inBackground: (run: (signal: AbortSignal) => Promise<void>) => void;
}

type Claims = ReadonlyMap<Endpoint, ReportedTip>;

/** Checks what a single endpoint cannot be trusted on: the current slot, and that accounts are gone. */
export class EndpointTrust {
  readonly #options: EndpointTrustOptions;
  readonly #known = new KnownAccounts();
  #inquiry: Promise<Claims> | null = null;
  #reviewedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: EndpointTrustOptions) {
    this.#options = options;
  }

  /** Checks an answer. @throws AttemptFailure when it is not trusted, or the reason of an aborted signal */
  async examine(
    endpoint: Endpoint,
    request: RpcRequest,
    result: unknown,
    signal: AbortSignal,
  ): Promise<void> {
    const claim = this.#reportedTipOf(endpoint, request, result);
    if (claim === null) return;
    const { trustedTip } = this.#options;
    // A bare slot comes with no state: it is compared with the trusted slot, but never sets the first one.
    if (request.method === 'getSlot' && trustedTip.slot === null) return;
    if (!(await this.#isPlausible(endpoint, claim, signal)))
      throw this.#distrust(endpoint, request, 'IMPLAUSIBLE_SLOT', 'its slot or time is not plausible');
    await this.#checkMissing(endpoint, request, result, claim, signal);
    this.#known.learn(request, result);
    if (!trustedTip.isCorroborated && this.#options.endpoints.length > 1) this.#corroborate();
  }

  /** Whether the chain can be at a slot that a source outside the pool claims. */
  async isReached(slot: number, signal: AbortSignal): Promise<boolean> {
    const { trustedTip } = this.#options;
    if (trustedTip.allows({ slot, time: null })) return true;
    const claims = [...(await this.#inquire(signal)).values()];
    const reached = claims.filter((claim) => claim.slot >= slot - MAX_SLOT_SPREAD).length;
    return reached * 2 > claims.length;
  }

  /**
   * Whether to believe slot and time of another gateway, and records them if so. The endpoints are asked when they do not
   * follow from the trusted tip, for a limited time.
   */
  async believesShared(claim: ReportedTip, signal: AbortSignal): Promise<boolean> {
    const { trustedTip } = this.#options;
    let others: readonly ReportedTip[] = [];
    if (!trustedTip.allows(claim)) {
      others = await this.#claimsInTime(signal);
      if (!trustedTip.allows(claim) && !trustedTip.supportsShared(claim, others)) return false;
    }
    trustedTip.hear(claim, others.length > 0);
    return true;
  }

  async #claimsInTime(signal: AbortSignal): Promise<readonly ReportedTip[]> {
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(), SHARED_CLAIM_MS);
    const unlink = abandonOn(signal, (reason) => waiting.abort(reason));
    try {
      return [...(await this.#inquire(waiting.signal)).values()];
    } catch (error) {
      if (signal.aborted || !waiting.signal.aborted) throw error;
      return [];
    } finally {
      clearTimeout(timer);
      unlink();
    }
  }

  /** Asks all endpoints whether they have reached the trusted tip, and abandons it when it was false. */
  async review(signal: AbortSignal): Promise<void> {
    const { trustedTip, endpoints, onGivenUp } = this.#options;
    const claims = await this.#inquire(signal);
    const slot = trustedTip.giveUp([...claims.values()]);
    if (slot === null) return;
    for (const endpoint of endpoints) endpoint.forgetSlot();
    onGivenUp(slot);
  }

  #reportedTipOf(endpoint: Endpoint, request: RpcRequest, result: unknown): ReportedTip | null {
    try {
      return reportedTipOf(request, result);
    } catch (error) {
      if (!(error instanceof InconsistentAnswer)) throw error;
      throw this.#distrust(endpoint, request, 'WRONG_CLOCK', error.message);
    }
  }

  async #isPlausible(endpoint: Endpoint, claim: ReportedTip, signal: AbortSignal): Promise<boolean> {
    const { trustedTip, endpoints } = this.#options;
    if (!trustedTip.allows(claim)) {
      const claims: Claims = endpoints.length === 1 ? new Map() : await this.#inquire(signal);
      const others = [...claims].flatMap(([other, theirs]) => (other === endpoint ? [] : [theirs]));
      // Another answer may have been trusted meanwhile.
      if (!trustedTip.allows(claim)) return trustedTip.judge(claim, others);
    }
    trustedTip.advance(claim);
    return true;
  }

  /** Accounts that existed a moment ago are gone when another endpoint says so, at the same slot or later. */
  async #checkMissing(
    endpoint: Endpoint,
    request: RpcRequest,
    result: unknown,
    { slot }: ReportedTip,
    signal: AbortSignal,
  ): Promise<void> {
    const refutes = this.#known.doubt(request, result);
    if (refutes === null) return;
    const others = this.#options.endpoints.filter((e) => e !== endpoint && e.isTrusted && e.answers);
    let [agree, differ] = [1, 0];
    for (const other of others) {
      const theirs = await unlessAborted(this.#answerOf(other, notBeforeSlot(request, slot)), signal);
      if (theirs === null) continue;
      if (refutes(theirs.result)) differ += 1;
      else agree += 1;
      if (agree > 1) return;
    }
    if (differ > 0)
      throw this.#distrust(endpoint, request, 'WITHHELD_ACCOUNTS', 'it lacks accounts that others have');
    if (others.length > 0)
      throw new AttemptFailure('RPC_BAD_RESPONSE', {
        reason: 'it lacks accounts, and no other endpoint confirms it',
        endpointAtFault: false,
      });
  }

  #distrust(endpoint: Endpoint, evidence: RpcRequest, why: Distrust, reason: string): AttemptFailure {
    if (endpoint.isTrusted) this.#options.onDistrust(endpoint, why);
    endpoint.distrust(why, evidence);
    return new AttemptFailure('RPC_BAD_RESPONSE', { reason, retry: 'ELSEWHERE' });
  }

  #corroborate(): void {
    const now = this.#options.now();
    if (now - this.#reviewedAtMs < CORROBORATION_INTERVAL_MS) return;
    this.#reviewedAtMs = now;
    this.#options.inBackground((signal) => this.review(signal));
  }

  /** The claims of all endpoints that answer, made after this call. Concurrent calls share them. */
  async #inquire(signal: AbortSignal): Promise<Claims> {
    // An inquiry that is under way may have begun before the claim in question.
    if (this.#inquiry !== null) await unlessAborted(this.#inquiry, signal);
    this.#inquiry ??= this.#claims().finally(() => {
      this.#inquiry = null;
    });
    return await unlessAborted(this.#inquiry, signal);
  }

  async #claims(): Promise<Claims> {
    const asked = this.#options.endpoints.filter((each) => each.answers && !each.isPaused);
    const claims = await Promise.all(
      asked.map(async (each) => [each, (await this.#answerOf(each, CLOCK_REQUEST))?.claim ?? null] as const),
    );
    return new Map(claims.flatMap(([each, claim]) => (claim === null ? [] : [[each, claim] as const])));
  }

  /** Null when the endpoint fails or contradicts itself. */
  async #answerOf(
    endpoint: Endpoint,
    request: RpcRequest,
  ): Promise<{ readonly result: unknown; readonly claim: ReportedTip } | null> {
    try {
      const result = await this.#options.attempt(endpoint, request);
      const claim = reportedTipOf(request, result);
      return claim === null ? null : { result, claim };
    } catch {
      // The endpoint has recorded the failure; here it gets no vote.
      return null;
    }
  }
}
