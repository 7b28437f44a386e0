import { type DueDelivery, dueDeliveries, writeAttempt } from '../../store/alerts/deliveries.ts';
import type { Database } from '../../store/sql.ts';
import type { AlertObserver } from '../alert-observer.ts';
import { retryDelayMs } from './backoff.ts';
import type { OutgoingMessage } from './send-message.ts';
import { DELIVERY_HEADER, SIGNATURE_HEADER, signatureOf, signingSecret } from './signature.ts';

export interface DelivererOptions {
  readonly db: Database;
  readonly fence: bigint;
  /** The operator's secret, from which those of the alerts are derived. */
  readonly secret: string;
  /** Resolves to null when the receiver accepted the message, otherwise to the reason why not. */
  readonly send: (message: OutgoingMessage, signal: AbortSignal) => Promise<string | null>;
  readonly revokedKeys: () => readonly string[];
  readonly observer: Pick<AlertObserver, 'attempted'>;
  /** Called after each attempt: another message may be due. @param error what prevented its outcome from being recorded */
  readonly onEnded: (error: unknown) => void;
  readonly random?: () => number;
}

/** Attempts under way at once: in all, to one host, and for one key. A hanging receiver delays only its host and its key. */
const MAX_ATTEMPTS = 64;
const MAX_PER_HOST = 4;
const MAX_PER_KEY = 16;

/** Sends the messages that are due. Of each alert one at a time, the oldest first. */
export class Deliverer {
  readonly #options: DelivererOptions;
  readonly #stop = new AbortController();
  readonly #underWay = new Map<string, { readonly delivery: DueDelivery; readonly done: Promise<void> }>();

  constructor(options: DelivererOptions) {
    this.#options = options;
  }

  /** Starts what is due and may be started. Resolves to the number of attempts that it started. */
  async startDue(): Promise<number> {
    const { db, revokedKeys } = this.#options;
    const free = MAX_ATTEMPTS - this.#underWay.size;
    if (free === 0 || this.#stop.signal.aborted) return 0;
    const underWay = [...this.#underWay.values()].map(({ delivery }) => delivery);
    const due = await dueDeliveries(db, free, {
      alerts: underWay.map(({ alertId }) => alertId),
      hosts: full(underWay, ({ host }) => host, MAX_PER_HOST),
      keys: [...full(underWay, ({ keyId }) => keyId, MAX_PER_KEY), ...revokedKeys()],
    });
    return due.filter((delivery) => this.#startIfFree(delivery)).length;
  }

  /** Abandons attempts under way: the next leader makes them again. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all([...this.#underWay.values()].map(({ done }) => done));
  }

  #startIfFree(delivery: DueDelivery): boolean {
    const underWay = [...this.#underWay.values()].map((each) => each.delivery);
    const ofHost = underWay.filter(({ host }) => host === delivery.host).length;
    const ofKey = underWay.filter(({ keyId }) => keyId === delivery.keyId).length;
    const isFree = ofHost < MAX_PER_HOST && ofKey < MAX_PER_KEY && !this.#stop.signal.aborted;
    if (!isFree || this.#underWay.has(delivery.alertId)) return false;
    const done = this.#attempt(delivery).then((error) => {
      this.#underWay.delete(delivery.alertId);
      this.#options.onEnded(error);
    });
    this.#underWay.set(delivery.alertId, { delivery, done });
    return true;
  }

  /** Resolves to the error that prevented the outcome from being recorded; null for none. */
  async #attempt(delivery: DueDelivery): Promise<unknown> {
    const { db, fence, send, observer, random = Math.random } = this.#options;
    const { signal } = this.#stop;
    try {
      const error = await send(this.#messageOf(delivery), signal);
      // An abandoned attempt says nothing about the receiver.
      if (signal.aborted && error !== null) return null;
      const delayMs = error === null ? 0 : retryDelayMs(delivery.attempts, random);
      const status = await writeAttempt(db, fence, delivery, { error, delayMs });
      observer.attempted(outcomeOf(error, status));
      return null;
    } catch (error) {
      // It is still pending, and will be sent again.
      return error;
    }
  }

  #messageOf({ id, alertId, url, body }: DueDelivery): OutgoingMessage {
    const secret = signingSecret(this.#options.secret, alertId);
    return {
      url,
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'sluice-alerts',
        [DELIVERY_HEADER]: id,
        [SIGNATURE_HEADER]: signatureOf(secret, body, new Date()),
      },
    };
  }
}

function outcomeOf(error: string | null, status: string | null): 'delivered' | 'failed' | 'dead' {
  if (error === null) return 'delivered';
  return status === 'DEAD' ? 'dead' : 'failed';
}

/** Hosts or keys that have as many attempts under way as they may. */
function full(
  underWay: readonly DueDelivery[],
  of: (delivery: DueDelivery) => string,
  limit: number,
): string[] {
  const counts = new Map<string, number>();
  for (const delivery of underWay) counts.set(of(delivery), (counts.get(of(delivery)) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= limit).map(([name]) => name);
}
