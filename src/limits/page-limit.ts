import { SluiceError } from '../errors/sluice-error.ts';
import type { PageAdmission, Refusal } from '../http/allowance.ts';
import type { LimitMetrics } from '../telemetry/limit-metrics.ts';
import { clientOf, type ProxyTrust } from './client-network.ts';
import type { Decision, Payer, Window } from './window.ts';

export interface PageLimitOptions {
  readonly window: Window;
  readonly trust: ProxyTrust;
  /** Cost per window and client network; 0 for no limit. */
  readonly limit: number;
  readonly metrics: LimitMetrics;
}

const REQUEST_COST = 1;
const BYTES_PER_UNIT = 100_000;
/** Loads the largest page uncompressed thirty times a minute. */
const LEAST_LIMIT = 3_000;

/**
 * The limit for pages where requests are limited to `requestLimit`. It is never so low that a strict limit on requests
 * breaks the documentation.
 */
export function pageLimitFor(requestLimit: number): number {
  return requestLimit === 0 ? 0 : Math.max(requestLimit, LEAST_LIMIT);
}

/** Limits documentation and metrics by client network, apart from the budget for requests. */
export class PageLimit implements PageAdmission {
  readonly #options: PageLimitOptions;

  constructor(options: PageLimitOptions) {
    this.#options = options;
  }

  spend(headers: Pick<Headers, 'get'>, peer: string | undefined): Refusal | Promise<Refusal> {
    const { window, limit } = this.#options;
    if (limit === 0) return null;
    const decision = window.spend(this.#payer(headers, peer), REQUEST_COST);
    return decision instanceof Promise
      ? decision.then((decided) => this.#refusal(decided))
      : this.#refusal(decision);
  }

  sent(headers: Pick<Headers, 'get'>, peer: string | undefined, bytes: number): void {
    const { window, limit } = this.#options;
    const cost = Math.floor(bytes / BYTES_PER_UNIT);
    if (limit > 0 && cost > 0) window.charge(this.#payer(headers, peer), cost);
  }

  #payer(headers: Pick<Headers, 'get'>, peer: string | undefined): Payer {
    const { trust, limit } = this.#options;
    return { id: `page:${clientOf(headers, peer, trust)}`, limit };
  }

  #refusal({ admitted, retryAfter }: Decision): Refusal {
    if (admitted) return null;
    const { metrics, limit } = this.#options;
    metrics.limited(null);
    return new SluiceError('RATE_LIMITED', { retryAfter, limit });
  }
}
