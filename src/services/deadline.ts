/** Time limits of requests; the chain has the mechanism, both faces use it. */
export { type Deadline, deadlineSignal } from '../chain/rpc/deadline.ts';
