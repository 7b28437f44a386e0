export { type BuildActionOptions, buildAction } from './build-action.ts';
export { buildPlan, previewPlan } from './build-plan.ts';
export {
  type Action,
  type ActionPlan,
  type ActionPreview,
  type PlanPreview,
  PREVIEW,
  PREVIEW_PLAN,
  PREVIEW_VAULT_EXIT,
  type VaultExit,
  type VaultRebalance,
} from './documents.ts';
export { previewAction } from './preview-action.ts';
export {
  type ActionProgress,
  type ActionResult,
  type RunActionOptions,
  runAction,
  runPlan,
  runVaultExit,
  runVaultRebalance,
} from './run-action.ts';
export { type Confirmed, type SendOptions, sendTransaction } from './send-transaction.ts';
export { buildVaultExit, previewVaultExit } from './vault-exit.ts';
export { buildVaultRebalance } from './vault-rebalance.ts';
