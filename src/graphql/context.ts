import type { Allowance } from '../http/allowance.ts';
import type { AnswerNote } from '../http/answer-note.ts';
import type { Subject, Update } from '../live/update.ts';
import type { Platform } from '../services/platform.ts';
import type { Session } from '../services/records.ts';
import type { RequestTrace } from '../telemetry/request-trace.ts';
import type { NodeBudget } from './cost/node-budget.ts';

/** What comes with every request from outside the graph. */
export interface ServerContext {
  readonly trace: RequestTrace;
  /** From which the cost of the query is taken. */
  readonly allowance: Allowance;
  /** Takes what the answer was made of, where somebody wants to know. */
  readonly note?: AnswerNote;
}

/** What every resolver gets. The session is opened before the first resolver runs and holds one View. */
export interface GraphQLContext {
  readonly session: Session;
  readonly platform: Platform;
  readonly budget: NodeBudget;
  /** Who asks; nobody for an event of a stream. */
  readonly allowance?: Allowance;
  /** Only while a subscription is being opened: takes what it wants to hear of. */
  readonly watch?: <S>(subject: Subject<S>) => AsyncIterable<Update<S>>;
  /** Where clients reach this gateway, without a slash at the end; absolute URLs in answers begin with it. */
  readonly baseUrl: string;
}
