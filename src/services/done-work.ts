import { foldMeter } from './history/fold-meter.ts';
import type { Session } from './records.ts';

/** Work of a request so far, for which its caller is charged afterwards. */
export function doneWork(session: Session): { readonly rpcRequests: number; readonly folded: number } {
  return { rpcRequests: session.rpcRequests, folded: foldMeter(session).folded };
}
