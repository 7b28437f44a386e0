import { abandonOn } from '../../node/abandon-on.ts';
import { AttemptFailure } from './attempt-failure.ts';
import { type BelievedChain, SAME_SLOTS } from './believed-chain.ts';
import { type ChainClaim, Contradiction, claimOf } from './chain-claim.ts';
import type { Endpoint } from './endpoint.ts';
import type { Distrust } from './endpoint-status.ts';
import { KnownAccounts } from './known-accounts.ts';
import { CLOCK_REQUEST, notBeforeSlot, type RpcRequest } from './rpc-request.ts';

/** How often the endpoints are asked about a slot that only one of them has claimed. */
const CORROBORATION_INTERVAL_MS = 5_000;

export interface EndpointJudgeOptions {
  readonly endpoints: readonly Endpoint[];
  readonly believed: BelievedChain;
  readonly now: () => number;
  /** Makes one attempt at an endpoint, whatever its state. */
  readonly ask: (endpoint: Endpoint, request: RpcRequest) => Promise<unknown>;
  readonly onDistrust: (endpoint: Endpoint, why: Distrust) => void;
  /** Called when a slot that was believed is given up, with the slot that is believed instead. */
  readonly onGivenUp: (slot: number) => void;
}

type Claims = ReadonlyMap<Endpoint, ChainClaim>;

/** Checks what a single endpoint cannot be trusted on: the current slot, and that accounts are gone. */
export class EndpointJudge {
  readonly #options: EndpointJudgeOptions;
  readonly #known = new KnownAccounts();
  #inquiry: Promise<Claims> | null = null;
  #reviewedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: EndpointJudgeOptions) {
    this.#options = options;
  }

  /** Checks an answer. @throws AttemptFailure when it is not believed, or the reason of an aborted signal */
  async examine(
    endpoint: Endpoint,
    request: RpcRequest,
    result: unknown,
    signal: AbortSignal,
  ): Promise<void> {
    const claim = this.#claimOf(endpoint, request, result);
    if (claim === null) return;
    const { believed } = this.#options;
    // A bare slot comes with no state: it is compared with the believed slot, but never sets the first one.
    if (request.method === 'getSlot' && believed.slot === null) return;
    if (!(await this.#believes(endpoint, claim, signal)))
      throw this.#distrust(endpoint, request, 'IMPLAUSIBLE_SLOT', 'its slot or time is not plausible');
    await this.#checkMissing(endpoint, request, result, claim, signal);
    this.#known.learn(request, result);
    if (!believed.isVouched && this.#options.endpoints.length > 1) this.#corroborate();
  }

  /** Whether the chain can be at a slot that a source outside the pool claims. */
  async isReached(slot: number, signal: AbortSignal): Promise<boolean> {
    const { believed } = this.#options;
    if (believed.allows({ slot, time: null })) return true;
    const claims = [...(await this.#inquire(signal)).values()];
    const reached = claims.filter((claim) => claim.slot >= slot - SAME_SLOTS).length;
    return reached * 2 > claims.length;
  }

  /** Asks all endpoints whether they have reached what is believed, and gives it up when it was a lie. */
  async review(signal: AbortSignal): Promise<void> {
    const { believed, endpoints, onGivenUp } = this.#options;
    const claims = await this.#inquire(signal);
    const slot = believed.giveUp([...claims.values()]);
    if (slot === null) return;
    for (const endpoint of endpoints) endpoint.forgetSlot();
    onGivenUp(slot);
  }

  #claimOf(endpoint: Endpoint, request: RpcRequest, result: unknown): ChainClaim | null {
    try {
      return claimOf(request, result);
    } catch (error) {
      if (!(error instanceof Contradiction)) throw error;
      throw this.#distrust(endpoint, request, 'WRONG_CLOCK', error.message);
    }
  }

  async #believes(endpoint: Endpoint, claim: ChainClaim, signal: AbortSignal): Promise<boolean> {
    const { believed, endpoints } = this.#options;
    if (!believed.allows(claim)) {
      const claims: Claims = endpoints.length === 1 ? new Map() : await this.#inquire(signal);
      const others = [...claims].flatMap(([other, theirs]) => (other === endpoint ? [] : [theirs]));
      // Another answer may have been believed meanwhile.
      if (!believed.allows(claim)) return believed.judge(claim, others);
    }
    believed.advance(claim);
    return true;
  }

  /** Accounts that existed a moment ago are gone when another endpoint says so, at the same slot or later. */
  async #checkMissing(
    endpoint: Endpoint,
    request: RpcRequest,
    result: unknown,
    { slot }: ChainClaim,
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
    void this.review(new AbortController().signal);
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
  ): Promise<{ readonly result: unknown; readonly claim: ChainClaim } | null> {
    try {
      const result = await this.#options.ask(endpoint, request);
      const claim = claimOf(request, result);
      return claim === null ? null : { result, claim };
    } catch {
      // The endpoint has recorded the failure; here it gets no vote.
      return null;
    }
  }
}

/** Rejects with the reason of the signal when that is aborted first. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let unlink = () => {};
  const aborted = new Promise<never>((_, reject) => {
    unlink = abandonOn(signal, reject);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    unlink();
  }
}
