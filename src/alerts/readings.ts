import type { Address } from '@solana/kit';
import { valueObligation } from '../services/obligations/obligations.ts';
import type { Session } from '../services/request/session.ts';
import type { Condition } from './condition.ts';
import {
  type DriftSample,
  type Figure,
  figureOfDrift,
  figureOfObligation,
  figureOfReserve,
  figureOfVault,
  NONE,
  UNKNOWN,
  worstFigure,
} from './figures.ts';
import { ALERT_METRICS, type ObligationFigure, obligationFigure, type SubjectKind } from './metrics.ts';
import { type ObligationRead, readObligations } from './read-obligations.ts';
import type { WalletObligations } from './wallet-obligations.ts';

export interface ReadingSources {
  readonly session: Session;
  readonly wallets: WalletObligations;
  readonly drift: DriftSample | null;
}

/** The figures of a View. Accounts are read once per subject, and figures computed once, however many alerts watch them. */
export class Readings {
  readonly #sources: ReadingSources;
  readonly #obligations: ReadonlyMap<Address, ObligationRead>;
  readonly #wallets: ReadonlyMap<Address, readonly ObligationRead[] | null>;
  readonly #figures = new Map<string, Figure>();

  private constructor(
    sources: ReadingSources,
    obligations: ReadonlyMap<Address, ObligationRead>,
    wallets: ReadonlyMap<Address, readonly ObligationRead[] | null>,
  ) {
    this.#sources = sources;
    this.#obligations = obligations;
    this.#wallets = wallets;
  }

  /** Reads what the conditions need besides the View. */
  static async read(sources: ReadingSources, conditions: readonly Condition[]): Promise<Readings> {
    const { session, wallets } = sources;
    const [obligations, ofWallets] = await Promise.all([
      readObligations(session, subjectsOf(conditions, 'obligation')),
      wallets.read(session, subjectsOf(conditions, 'wallet')),
    ]);
    return new Readings(sources, obligations, ofWallets);
  }

  of(condition: Condition): Figure {
    const { metric, subject, direction } = condition;
    const key = `${metric} ${subject} ${direction}`;
    const known = this.#figures.get(key);
    if (known !== undefined) return known;
    const figure = this.#figureOf(condition);
    this.#figures.set(key, figure);
    return figure;
  }

  #figureOf({ metric, subject, direction }: Condition): Figure {
    const { drift, session } = this.#sources;
    if (subject === null) return figureOfDrift(drift);
    const { view } = session;
    const figure = obligationFigure(metric);
    if (figure !== null) {
      const reads = this.#wallets.get(subject);
      if (ALERT_METRICS[metric].subject === 'obligation')
        return this.#obligationFigure(this.#obligations.get(subject), figure);
      if (reads === undefined || reads === null) return UNKNOWN;
      return worstFigure(
        reads.map((read) => this.#obligationFigure(read, figure)),
        direction,
      );
    }
    if (ALERT_METRICS[metric].subject === 'vault') {
      const vault = view.get('vault', subject);
      return vault === undefined ? UNKNOWN : figureOfVault(view, vault, metric);
    }
    const reserve = view.get('reserve', subject);
    return reserve === undefined ? UNKNOWN : figureOfReserve(view, reserve, metric);
  }

  /** An obligation that does not exist any more has been closed, so nothing is at stake. */
  #obligationFigure(read: ObligationRead | undefined, figure: ObligationFigure): Figure {
    if (read === undefined || !read.isRead) return UNKNOWN;
    if (read.record === null) return NONE;
    return figureOfObligation(valueObligation(this.#sources.session, read.record), figure);
  }
}

function subjectsOf(conditions: readonly Condition[], kind: SubjectKind): Address[] {
  const subjects = conditions.flatMap(({ metric, subject }) =>
    subject !== null && ALERT_METRICS[metric].subject === kind ? [subject] : [],
  );
  return [...new Set(subjects)];
}
