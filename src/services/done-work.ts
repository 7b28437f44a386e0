import { foldMeter } from './history/fold-meter.ts';
import type { Session } from './records.ts';

/** What a request has done so far that its caller is charged for once it is known. */
export function doneWork(session: Session): { readonly rpcRequests: number; readonly folded: number } {
  return { rpcRequests: session.rpcRequests, folded: foldMeter(session).folded };
}
