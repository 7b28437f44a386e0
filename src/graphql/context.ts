import type { Platform } from '../services/platform.ts';
import type { Session } from '../services/records.ts';
import type { RequestTrace } from '../telemetry/request-trace.ts';
import type { NodeBudget } from './cost/node-budget.ts';

/** What comes with every request from outside the graph. */
export interface ServerContext {
  readonly trace: RequestTrace;
}

/** What every resolver gets. The session is opened before the first resolver runs and holds one View. */
export interface GraphQLContext {
  readonly session: Session;
  readonly platform: Platform;
  readonly budget: NodeBudget;
  /** Where clients reach this gateway, without a slash at the end; absolute URLs in answers begin with it. */
  readonly baseUrl: string;
}
