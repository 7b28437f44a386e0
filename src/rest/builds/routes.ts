import type { Operation } from '../operation/operation.ts';
import type { KtxAction } from './action.ts';
import { CLAIM_ACTION } from './claim-action.ts';
import { LENDING_ACTIONS } from './lending-actions.ts';
import { VAULT_ACTIONS } from './vault-actions.ts';

/** Every action that can be built, alone or in a plan. */
export const KTX_ACTIONS: readonly KtxAction[] = [...LENDING_ACTIONS, ...VAULT_ACTIONS, CLAIM_ACTION];

/** The builders, each in two forms. */
export const KTX_OPERATIONS: readonly Operation[] = KTX_ACTIONS.flatMap(({ operations }) => operations);
