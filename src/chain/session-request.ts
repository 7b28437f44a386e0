import type { WorkBudget } from '../node/work-budget.ts';
import type { Sharing } from './session/shared-reads.ts';

/** The account of a request, or the end of work of the gateway itself, which no account limits. */
type SessionWork = { readonly work: WorkBudget } | { readonly signal: AbortSignal };

/** The state of the chain that a request reads. */
export type SessionRequest = SessionWork & RequestedView;

interface RequestedView {
  /** Id of a View that an earlier answer named. */
  readonly view?: string | undefined;
  /** Id of the View in which a list began. Read while it is retained, unless `view` names another one. */
  readonly continues?: string | undefined;
  /** Read-your-writes: this slot or later. */
  readonly minSlot?: bigint | undefined;
  /** Shares its reads with other sessions on the newest View. */
  readonly sharing?: Sharing | undefined;
}
