import { BOOK_OPERATIONS } from './books/routes.ts';
import { KTX_EXIT_OPERATIONS } from './builds/exit-routes.ts';
import { KTX_PLAN_OPERATIONS } from './builds/plan-routes.ts';
import { KTX_REBALANCE_OPERATIONS } from './builds/rebalance-routes.ts';
import { KTX_OPERATIONS } from './builds/routes.ts';
import { CHAIN_OPERATIONS } from './chain/routes.ts';
import { EARN_OPERATIONS } from './earn-operations.ts';
import { LENDING_OPERATIONS } from './lending-operations.ts';
import { LOOKUP_TABLE_OPERATIONS, REGISTER_VAULT_TABLE } from './lookup-tables/routes.ts';
import type { Operation } from './operation/operation.ts';
import { PORTFOLIO_OPERATIONS } from './portfolio/routes.ts';
import { SEND_TRANSACTION } from './sending/routes.ts';
import { YIELD_OPERATIONS } from './yields/routes.ts';

/** Every operation of the specification, and those that existing clients call beyond it: the single source of routes, validation, documentation and contract tests. */
export const OPERATIONS: readonly Operation[] = [
  ...EARN_OPERATIONS,
  ...KTX_OPERATIONS,
  ...LENDING_OPERATIONS,
  ...LOOKUP_TABLE_OPERATIONS,
  ...YIELD_OPERATIONS,
  ...CHAIN_OPERATIONS,
  ...PORTFOLIO_OPERATIONS,
  ...BOOK_OPERATIONS,
];

/** Our own additions, which no existing client calls. */
export const ADDED_OPERATIONS: readonly Operation[] = [
  ...KTX_PLAN_OPERATIONS,
  ...KTX_EXIT_OPERATIONS,
  ...KTX_REBALANCE_OPERATIONS,
  SEND_TRANSACTION,
];

/** Documented by the live service, and always refused: what they would do has no place in this gateway. */
export const REFUSED_OPERATIONS: readonly Operation[] = [REGISTER_VAULT_TABLE];

export const SERVED_OPERATIONS: readonly Operation[] = [
  ...OPERATIONS,
  ...ADDED_OPERATIONS,
  ...REFUSED_OPERATIONS,
];
