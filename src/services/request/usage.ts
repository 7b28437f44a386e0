import { foldMeter } from './fold-meter.ts';
import type { Session } from './session.ts';

/** Work of a request so far, for which its caller is charged afterwards. */
export function requestUsage(session: Session): { readonly rpcRequests: number; readonly folded: number } {
  return { rpcRequests: session.rpcRequests, folded: foldMeter(session).folded };
}
