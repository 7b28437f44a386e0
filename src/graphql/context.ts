import type { AlertRegistry } from '../alerts/registry.ts';
import type { Allowance } from '../http/allowance.ts';
import type { AnswerNote } from '../http/answer-cache/answer-note.ts';
import type { Subject, Update } from '../live/update.ts';
import type { WalletSearches } from '../live/wallet-subject.ts';
import type { WorkBudget } from '../node/work-budget.ts';
import type { Platform } from '../services/platform/platform.ts';
import type { Session } from '../services/request/session.ts';
import type { SentTransactions } from '../services/sending/sent-transactions.ts';
import type { RequestTrace } from '../telemetry/request-trace.ts';
import type { ResolvedObjects } from './cost/resolved-objects.ts';
import type { Warnings } from './warnings.ts';

/** Given to the GraphQL server with every request. */
export interface ServerContext {
  readonly trace: RequestTrace;
  /** The account that the cost of the query is charged to. */
  readonly allowance: Allowance;
  /** The account of the request's work; absent for events of a subscription, whose session has one. */
  readonly work?: WorkBudget;
  /** When the request arrived, in milliseconds of `performance.now()`; absent for events of a subscription. */
  readonly startedAt?: number;
  /** Awaited before a long computation; absent for events of a subscription. */
  readonly turn?: () => Promise<void> | null;
  /** Collects whether the answer can be cached; absent for events of a subscription. */
  readonly note?: AnswerNote;
  /** Aborted when no caller waits for the answer any more; absent for events of a subscription. */
  readonly signal?: AbortSignal;
}

/** Input of a subscribe resolver. */
export interface Opening {
  /**
   * Subscribes to changes of a subject.
   *
   * @param field name of the root field
   * @param items how many items the subject has
   */
  watch<S>(field: string, items: number, subject: Subject<S>): AsyncIterable<Update<S>>;
  readonly walletSearches: WalletSearches;
  /** Transactions that clients send and follow. */
  readonly sent: SentTransactions;
}

/** The context of every resolver. The session is opened before the first resolver runs and holds one View. */
export interface GraphQLContext {
  readonly session: Session;
  readonly platform: Platform;
  readonly alerts: AlertRegistry;
  /** Objects that the execution resolves, drawn from the account of its request. */
  readonly objects: ResolvedObjects;
  readonly warnings: Warnings;
  /** The caller's rate limit. Absent for an event of a subscription, which is shared between callers. */
  readonly allowance?: Allowance;
  /** Present only while a subscription is being opened. */
  readonly opening?: Opening;
  /** Public URL of this gateway, without a trailing slash. Absolute URLs in answers start with it. */
  readonly baseUrl: string;
}
