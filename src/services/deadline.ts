/** Request deadlines, for GraphQL and REST, which must not import `chain`. */
export { type Deadline, deadlineSignal } from '../chain/rpc/deadline.ts';
