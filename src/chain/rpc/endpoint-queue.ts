import { abandonOn } from './cancellation.ts';
import type { Clock } from './clock.ts';
import type { Endpoint } from './endpoint.ts';
import { MAX_PAUSE_WAIT_MS } from './retry.ts';

/** What one call has learned about the endpoints so far. */
export interface Preferences {
  /** Tried in this round: others first. */
  readonly tried: ReadonlySet<Endpoint>;
  /** Cannot answer this call. */
  readonly excluded: ReadonlySet<Endpoint>;
}

/** A place at an endpoint. */
export interface Place {
  readonly endpoint: Endpoint;
  /** Whether the call that takes it is the probe of a half-open circuit. */
  readonly probe: boolean;
}

type Choice =
  | { readonly kind: 'READY'; readonly endpoint: Endpoint }
  /** The endpoints to use are full; one of their calls will end. */
  | { readonly kind: 'BUSY' }
  /** All that could answer want a pause. */
  | { readonly kind: 'PAUSED'; readonly untilMs: number }
  | { readonly kind: 'NONE' };

interface Waiter {
  readonly preferences: Preferences;
  /** With a place, or with null when there is nothing left to wait for. */
  readonly wake: (place: Place | null) => void;
}

/** Hands out places at endpoints: the best endpoint first, callers in the order in which they came. */
export class EndpointQueue {
  readonly #endpoints: readonly Endpoint[];
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #waiters = new Set<Waiter>();

  constructor(endpoints: readonly Endpoint[], clock: Clock, random: () => number) {
    this.#endpoints = endpoints;
    this.#clock = clock;
    this.#random = random;
  }

  /** Waits for a place. Null when no endpoint may be called soon. Rejects with the reason of an aborted signal. */
  async acquire(preferences: Preferences, signal: AbortSignal): Promise<Place | null> {
    for (;;) {
      signal.throwIfAborted();
      this.serve();
      const choice = this.#choose(preferences);
      if (choice.kind === 'READY') return take(choice.endpoint);
      if (choice.kind === 'NONE') return null;
      if (choice.kind === 'BUSY') {
        const place = await this.#wait(preferences, signal);
        if (place !== null) return place;
      } else {
        const waitMs = choice.untilMs - this.#clock.now();
        if (waitMs > MAX_PAUSE_WAIT_MS) return null;
        // A little later than asked, and not all at once.
        await this.#clock.sleep(waitMs * (1 + 0.1 * this.#random()) + 1, signal);
      }
    }
  }

  /** Whether an endpoint that was not tried in this round could be called, now or when it has room. */
  hasUntried(preferences: Preferences): boolean {
    return this.#usable(preferences).some((endpoint) => !preferences.tried.has(endpoint));
  }

  /** Gives free places to those who wait. Called whenever a call ends. */
  serve(): void {
    for (const waiter of this.#waiters) {
      if (!this.#endpoints.some((endpoint) => endpoint.hasRoom)) return;
      const choice = this.#choose(waiter.preferences);
      if (choice.kind === 'BUSY') continue;
      this.#waiters.delete(waiter);
      waiter.wake(choice.kind === 'READY' ? take(choice.endpoint) : null);
    }
  }

  #wait(preferences: Preferences, signal: AbortSignal): Promise<Place | null> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        preferences,
        wake: (place) => {
          unlink();
          resolve(place);
        },
      };
      this.#waiters.add(waiter);
      const unlink = abandonOn(signal, (reason) => {
        this.#waiters.delete(waiter);
        reject(reason);
      });
    });
  }

  #usable({ excluded }: Preferences): readonly Endpoint[] {
    return this.#endpoints.filter((e) => !excluded.has(e) && e.circuit.admits && !e.isPaused);
  }

  #choose(preferences: Preferences): Choice {
    const usable = this.#usable(preferences);
    if (usable.length === 0) return this.#earliestPause(preferences);
    const untried = usable.filter((endpoint) => !preferences.tried.has(endpoint));
    const candidates = untried.length > 0 ? untried : usable;
    const best = Math.min(...candidates.map(rank));
    const [endpoint] = candidates.filter((e) => rank(e) === best && e.hasRoom).sort(byLoad);
    return endpoint === undefined ? { kind: 'BUSY' } : { kind: 'READY', endpoint };
  }

  #earliestPause({ excluded }: Preferences): Choice {
    const pauses = this.#endpoints
      .filter((endpoint) => !excluded.has(endpoint) && endpoint.circuit.admits)
      .map((endpoint) => endpoint.pausedUntilMs);
    return pauses.length === 0 ? { kind: 'NONE' } : { kind: 'PAUSED', untilMs: Math.min(...pauses) };
  }
}

/** Lower is better: healthy, failed lately, behind, on probation. */
function rank(endpoint: Endpoint): number {
  if (endpoint.isHealthy) return 0;
  if (endpoint.circuit.state !== 'CLOSED') return 3;
  return endpoint.isBehind ? 2 : 1;
}

function byLoad(a: Endpoint, b: Endpoint): number {
  return a.inFlight - b.inFlight || a.expectedLatencyMs - b.expectedLatencyMs;
}

function take(endpoint: Endpoint): Place {
  return { endpoint, probe: endpoint.take() };
}
