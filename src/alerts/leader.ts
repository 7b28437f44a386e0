import { randomUUID } from 'node:crypto';
import type { View } from '../chain/view/view.ts';
import type { Session } from '../services/request/session.ts';
import { readAlerts, registryVersion } from '../store/alerts/alert-table.ts';
import { type Crossing, writeEvaluation } from '../store/alerts/crossings.ts';
import type { Database } from '../store/sql.ts';
import type { AlertObserver } from './alert-observer.ts';
import {
  applyEvaluation,
  evaluate,
  type FoundCrossing,
  type WatchedAlert,
  watchedAlerts,
} from './evaluate.ts';
import type { DriftSample } from './figures.ts';
import { linkTo, messageBody } from './message.ts';
import { Readings } from './readings.ts';
import { type SuggestedRepayment, suggestedRepayment } from './suggested-repayment.ts';
import { WalletObligations } from './wallet-obligations.ts';

export interface LeaderOptions {
  readonly db: Database;
  readonly fence: bigint;
  readonly drift: () => DriftSample | null;
  readonly revokedKeys: () => readonly string[];
  readonly publicUrl: string | null;
  readonly hasExplorer: boolean;
  /** Time for which delivery of a message is retried. */
  readonly retrySeconds: number;
  /** Milliseconds between checks for alerts that another gateway registered, while there are none. */
  readonly idleMs: number;
  readonly observer: Pick<AlertObserver, 'evaluated' | 'crossed'>;
}

/**
 * Evaluates all alerts, one View after the other. It keeps the alerts in memory and reads them again when an owner has
 * changed one, or when the outcome of a write is unknown.
 */
export class AlertLeader {
  readonly #options: LeaderOptions;
  readonly #wallets = new WalletObligations();
  #alerts: readonly WatchedAlert[] = [];
  /** Version of the alerts in memory; null when they have to be read. */
  #version: bigint | null = null;
  #readAt = Number.NEGATIVE_INFINITY;
  /** Whether an owner may have changed an alert in this process since they were read. */
  #mayHaveChanged = true;

  constructor(options: LeaderOptions) {
    this.#options = options;
  }

  /** Whether there was no alert at the last look, and so no message either. */
  get isIdle(): boolean {
    return !this.#mayHaveChanged && this.#version !== null && this.#alerts.length === 0;
  }

  /** Looks for changed alerts with the next View. */
  readAgain(): void {
    this.#mayHaveChanged = true;
  }

  /** Evaluates the View of a session. Resolves to the number of messages. @throws NOT_LEADER */
  async evaluate(session: Session): Promise<number> {
    const startedAt = performance.now();
    await this.#readAlerts();
    const revoked = new Set(this.#options.revokedKeys());
    const active = this.#alerts.filter(({ row }) => !row.paused && !revoked.has(row.keyId));
    const sources = { session, wallets: this.#wallets, drift: this.#options.drift() };
    const readings = await Readings.read(
      sources,
      active.map(({ condition }) => condition),
    );
    const now = timeOf(session.view);
    const evaluated = evaluate(active, (condition) => readings.of(condition), now);
    const { crossings, notes, unknown } = evaluated;
    this.#options.observer.evaluated({ total: active.length, unknown }, performance.now() - startedAt);
    if (crossings.length === 0 && notes.length === 0) return 0;
    const version = this.#version;
    this.#version = null;
    const crossed = await this.#write(session, crossings, notes);
    this.#alerts = applyEvaluation(this.#alerts, evaluated, crossed, now);
    this.#version = version;
    this.#options.observer.crossed(crossed.size);
    return crossed.size;
  }

  async #readAlerts(): Promise<void> {
    const { db, idleMs } = this.#options;
    if (this.isIdle && performance.now() - this.#readAt < idleMs) return;
    this.#readAt = performance.now();
    this.#mayHaveChanged = false;
    // Before the alerts: what changes while they are read is read again.
    const version = await registryVersion(db);
    if (version === this.#version) return;
    this.#alerts = watchedAlerts(await readAlerts(db, null));
    this.#version = version;
  }

  async #write(
    session: Session,
    crossings: readonly FoundCrossing[],
    notes: Parameters<typeof writeEvaluation>[2]['notes'],
  ): Promise<ReadonlySet<string>> {
    const { db, fence, retrySeconds } = this.#options;
    const found = new Map<Crossing, FoundCrossing>(crossings.map((each) => [each, each]));
    const cures = new Map<FoundCrossing, SuggestedRepayment | null>();
    for (const each of crossings) cures.set(each, await cureOf(session, each));
    const { slot } = session.view.moment;
    return await writeEvaluation(db, fence, { slot, crossings, notes }, (crossing, sequence) => {
      const id = randomUUID();
      const full = found.get(crossing);
      if (full === undefined) throw new RangeError('a crossing that was not found');
      return {
        id,
        body: this.#bodyOf(session, full, cures.get(full) ?? null, { id, sequence }),
        retrySeconds,
      };
    });
  }

  #bodyOf(
    session: Session,
    { watched, figure, event, value }: FoundCrossing,
    cure: SuggestedRepayment | null,
    numbers: { readonly id: string; readonly sequence: number },
  ): string {
    const { row, condition } = watched;
    const { obligation, detail } = figure;
    const { moment } = session.view;
    return messageBody({
      ...numbers,
      event,
      alert: row,
      condition,
      value,
      detail,
      obligation: obligation?.address ?? null,
      moment: { slot: moment.slot, view: moment.id, time: timeOf(session.view) },
      link: linkTo(this.#options, condition, obligation?.value.owner ?? null),
      cure,
    });
  }
}

async function cureOf(
  session: Session,
  { watched: { condition }, figure: { obligation }, event }: FoundCrossing,
): Promise<SuggestedRepayment | null> {
  if (event !== 'FIRED' || obligation === null) return null;
  return await suggestedRepayment(session, condition, obligation);
}

const timeOf = ({ moment }: View) => new Date(Number(moment.timestamp) * 1_000);
