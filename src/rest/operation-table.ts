import type { Operation } from './operation.ts';
import { CHAIN_OPERATIONS } from './routes/chain.ts';
import { EARN_OPERATIONS } from './routes/earn.ts';
import { KTX_OPERATIONS } from './routes/ktx.ts';
import { KTX_PLAN_OPERATIONS } from './routes/ktx-plan.ts';
import { LENDING_OPERATIONS } from './routes/lending.ts';
import { LOOKUP_TABLE_OPERATIONS } from './routes/lookup-tables.ts';
import { PORTFOLIO_OPERATIONS } from './routes/portfolio.ts';
import { SEND_TRANSACTION } from './routes/transactions.ts';
import { YIELD_OPERATIONS } from './routes/yields.ts';

/** Every operation of the specification, and those that existing clients call beyond it: the single source of routes, validation, documentation and contract tests. */
export const OPERATIONS: readonly Operation[] = [
  ...EARN_OPERATIONS,
  ...KTX_OPERATIONS,
  ...LENDING_OPERATIONS,
  ...LOOKUP_TABLE_OPERATIONS,
  ...YIELD_OPERATIONS,
  ...CHAIN_OPERATIONS,
  ...PORTFOLIO_OPERATIONS,
];

/** Our own additions, which no existing client calls. */
export const ADDED_OPERATIONS: readonly Operation[] = [...KTX_PLAN_OPERATIONS, SEND_TRANSACTION];

export const SERVED_OPERATIONS: readonly Operation[] = [...OPERATIONS, ...ADDED_OPERATIONS];
