import type { Operation } from './operation.ts';
import { EARN_OPERATIONS } from './routes/earn.ts';
import { KTX_OPERATIONS } from './routes/ktx.ts';
import { LENDING_OPERATIONS } from './routes/lending.ts';

/** Every documented operation: the single source of routes, validation, documentation and contract tests. */
export const OPERATIONS: readonly Operation[] = [
  ...EARN_OPERATIONS,
  ...KTX_OPERATIONS,
  ...LENDING_OPERATIONS,
];
