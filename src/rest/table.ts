import type { Operation } from './operation.ts';
import { KTX_OPERATIONS } from './routes/ktx.ts';

/** Every documented operation: the one source of routes, validation, documentation and contract tests. */
export const OPERATIONS: readonly Operation[] = [...KTX_OPERATIONS];
