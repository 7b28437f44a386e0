import { abandonOn } from '../abort.ts';
import type { Clock } from '../transport/clock.ts';
import type { Endpoint } from '../transport/endpoint.ts';
import { MAX_PAUSE_WAIT_MS } from '../transport/retry.ts';

/** State of one call's attempts. */
export interface Preferences {
  /** Tried in this round. Untried endpoints come first. */
  readonly tried: ReadonlySet<Endpoint>;
  /** Cannot answer this call. */
  readonly excluded: ReadonlySet<Endpoint>;
}

/** A slot for one call at an endpoint. */
export interface Place {
  readonly endpoint: Endpoint;
  /** Whether the call is the probe of a half-open circuit. */
  readonly probe: boolean;
}

type Choice =
  | { readonly kind: 'READY'; readonly endpoint: Endpoint }
  /** The usable endpoints are at their limit; one of their calls will end. */
  | { readonly kind: 'BUSY' }
  /** All usable endpoints are paused. */
  | { readonly kind: 'PAUSED'; readonly untilMs: number }
  | { readonly kind: 'NONE' };

interface Waiter {
  readonly preferences: Preferences;
  /** Receives a place, or null when there is nothing left to wait for. */
  readonly wake: (place: Place | null) => void;
}

/**
 * Assigns calls to endpoints: best endpoint first, calls in order of arrival. A call whose endpoints are busy lets later ones
 * pass.
 */
export class EndpointQueue {
  readonly #endpoints: readonly Endpoint[];
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #waiting = new Set<Waiter>();

  constructor(endpoints: readonly Endpoint[], clock: Clock, random: () => number) {
    this.#endpoints = endpoints;
    this.#clock = clock;
    this.#random = random;
  }

  /** Waits for a place. Null when no endpoint becomes available soon. Rejects with the reason of an aborted signal. */
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
        // Slightly later than requested, with jitter.
        await this.#clock.sleep(waitMs * (1 + 0.1 * this.#random()) + 1, signal);
      }
    }
  }

  /** Whether an endpoint that was not tried in this round can be called, now or once it has capacity. */
  hasUntried(preferences: Preferences): boolean {
    return this.#usable(preferences).some((endpoint) => !preferences.tried.has(endpoint));
  }

  /** Assigns free places to waiting calls. Called whenever a call ends. */
  serve(): void {
    while (this.#endpoints.some((endpoint) => endpoint.hasRoom)) {
      const next = this.#nextInTurn();
      if (next === null) return;
      this.#waiting.delete(next);
      const choice = this.#choose(next.preferences);
      next.wake(choice.kind === 'READY' ? take(choice.endpoint) : null);
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
      this.#waiting.add(waiter);
      const unlink = abandonOn(signal, (reason) => {
        this.#waiting.delete(waiter);
        reject(reason);
      });
    });
  }

  #nextInTurn(): Waiter | null {
    for (const waiter of this.#waiting) if (this.#choose(waiter.preferences).kind !== 'BUSY') return waiter;
    return null;
  }

  #usable({ excluded }: Preferences): readonly Endpoint[] {
    return this.#endpoints.filter((e) => !excluded.has(e) && e.isTrusted && e.circuit.admits && !e.isPaused);
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
      .filter((endpoint) => !excluded.has(endpoint) && endpoint.isTrusted && endpoint.circuit.admits)
      .map((endpoint) => endpoint.pausedUntilMs);
    return pauses.length === 0 ? { kind: 'NONE' } : { kind: 'PAUSED', untilMs: Math.min(...pauses) };
  }
}

/** Lower is better: healthy, recently failed, behind, half open. */
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
