export {
  type Action,
  type ActionPlan,
  type ActionPreview,
  type ActionProgress,
  type ActionResult,
  type BuildActionOptions,
  buildAction,
  buildPlan,
  buildVaultExit,
  buildVaultRebalance,
  type Confirmed,
  type PlanPreview,
  PREVIEW,
  PREVIEW_PLAN,
  PREVIEW_VAULT_EXIT,
  previewAction,
  previewPlan,
  previewVaultExit,
  type RunActionOptions,
  runAction,
  runPlan,
  runVaultExit,
  runVaultRebalance,
  type SendOptions,
  sendTransaction,
  type VaultExit,
  type VaultRebalance,
} from './actions/index.ts';
export type { Answer, ChainState, Warning } from './answer.ts';
export {
  ACTIVITY,
  type ActivityEntry,
  type ActivityOptions,
  activity,
  activityFile,
  type BookFormat,
  INCOME,
  type IncomeOptions,
  income,
  incomeFile,
  type WalletIncome,
} from './books.ts';
export {
  type ClientOptions,
  createClient,
  type RequestOptions,
  type SluiceClient,
  type SubscribeOptions,
} from './client.ts';
export { Decimal } from './decimal.ts';
export type { DecimalFormat } from './decimal-format.ts';
export { type Document, documentText } from './document.ts';
export type { ErrorCode } from './error-codes.ts';
export { type ClientCode, hasCode, SluiceError } from './errors.ts';
export {
  type FragmentOf,
  graphql,
  type ResultOf,
  readFragment,
  type TadaDocumentNode,
  type VariablesOf,
} from './graphql.ts';
export {
  ALL_OF_IT,
  type InstructionBundle,
  type LendingBody,
  type RestBodies,
  restInstructions,
  restTransaction,
  type VaultBody,
} from './rest-builders.ts';
export type { RetryPolicy } from './retry.ts';
export {
  type StandardAccount,
  type StandardWallet,
  type TransactionSigner,
  walletStandardSigner,
} from './signers.ts';
export type { StreamState } from './subscriptions.ts';
