import type { Platform } from '../services/platform.ts';
import type { Session } from '../services/records.ts';

/** What every resolver gets. The session is opened before the first resolver runs and holds one View. */
export interface GraphQLContext {
  readonly session: Session;
  readonly platform: Platform;
}
