import type { RequestOptions, SluiceClient } from '../client.ts';
import { hasCode, SluiceError } from '../errors.ts';
import type { TransactionSigner } from '../signers.ts';
import { buildAction } from './build-action.ts';
import { buildPlan } from './build-plan.ts';
import type { Action, ActionPlan, VaultExit, VaultRebalance } from './documents.ts';
import { type Confirmed, sendTransaction } from './send-transaction.ts';
import { buildVaultExit } from './vault-exit.ts';
import { buildVaultRebalance } from './vault-rebalance.ts';

/** Which transaction of a plan is handled: `number` is 1 for the first. */
interface Position {
  readonly number: number;
  readonly of: number;
}

export type ActionProgress =
  | { readonly step: 'building' }
  /** The wallet has been asked to sign. */
  | ({ readonly step: 'signing'; readonly plan: ActionPlan } & Position)
  /** `signature` is null until the gateway has answered. */
  | ({ readonly step: 'confirming'; readonly signature: string | null } & Position);

export interface RunActionOptions extends RequestOptions {
  readonly onProgress?: (progress: ActionProgress) => void;
}

export interface ActionResult {
  /** Signatures of the confirmed transactions, in order. */
  readonly signatures: readonly string[];
  /** Slot of the last one: `client.after(slot)` reads the effect. */
  readonly slot: string;
}

/**
 * Builds an action, has the wallet sign it, sends it and waits until it is confirmed. A set-up transaction is confirmed
 * before the wallet is asked to sign the next one. When a blockhash expires, for example while the user reads the
 * wallet's prompt, the rest is built again once.
 *
 * `signal` stops before the next step. A transaction that was sent already may still be confirmed.
 *
 * @example
 * const { signatures } = await runAction(client, action, signer, { onProgress: ({ step }) => show(step) });
 */
export function runAction(
  client: SluiceClient,
  action: Action,
  signer: TransactionSigner,
  options: RunActionOptions = {},
): Promise<ActionResult> {
  const build: Build = (builder, _left, request) => buildAction(builder, action, request);
  return run({ client, actions: [action], signer, options, build });
}

/**
 * Builds one to six actions as one plan, and signs, sends and confirms its transactions in order, as `runAction` does for
 * one action. When a blockhash expires, the steps that are not confirmed yet are built again once.
 *
 * @example
 * const { signatures } = await runPlan(client, [repay, withdraw], signer);
 */
export function runPlan(
  client: SluiceClient,
  actions: readonly Action[],
  signer: TransactionSigner,
  options: RunActionOptions = {},
): Promise<ActionResult> {
  const build: Build = (builder, left, request) => buildPlan(builder, left, request);
  return run({ client, actions, signer, options, build });
}

/**
 * Builds an exit of a vault, and signs, sends and confirms its transactions in order. When a blockhash expires it stops
 * with TRANSACTION_EXPIRED, because what has been paid until then changes what is left to do.
 *
 * @example
 * const { signatures } = await runVaultExit(client, { wallet, vault, amount: { all: 'ALL' } }, signer);
 */
export async function runVaultExit(
  client: SluiceClient,
  exit: VaultExit,
  signer: TransactionSigner,
  options: RunActionOptions = {},
): Promise<ActionResult> {
  return await runOnce(client, exit.wallet, signer, options, (request) =>
    buildVaultExit(client, exit, request),
  );
}

/**
 * Builds the moves that reach target weights and caps of a vault, and signs, sends and confirms their transactions in order.
 * When a blockhash expires it stops with TRANSACTION_EXPIRED, as `runVaultExit` does.
 *
 * @example
 * const { signatures } = await runVaultRebalance(client, { wallet, vault, targets: [{ reserve, weight: '300' }] }, signer);
 */
export async function runVaultRebalance(
  client: SluiceClient,
  rebalance: VaultRebalance,
  signer: TransactionSigner,
  options: RunActionOptions = {},
): Promise<ActionResult> {
  return await runOnce(client, rebalance.wallet, signer, options, (request) =>
    buildVaultRebalance(client, rebalance, request),
  );
}

/** Runs a plan that is not built again. */
async function runOnce(
  client: SluiceClient,
  wallet: string,
  signer: TransactionSigner,
  options: RunActionOptions,
  build: (request: RequestOptions) => Promise<ActionPlan>,
): Promise<ActionResult> {
  checkWallet(wallet, signer);
  const confirmed: Confirmed[] = [];
  for await (const { sent } of confirmations(client, signer, options, build)) confirmed.push(sent);
  return resultOf(confirmed);
}

/** Builds the actions that are left to do. */
type Build = (client: SluiceClient, left: readonly Action[], request: RequestOptions) => Promise<ActionPlan>;

interface Run {
  readonly client: SluiceClient;
  readonly actions: readonly Action[];
  readonly signer: TransactionSigner;
  readonly options: RunActionOptions;
  readonly build: Build;
}

async function run({ client, actions, signer, options, build }: Run): Promise<ActionResult> {
  for (const action of actions) checkWallet(Object.values(action)[0]?.wallet, signer);
  const confirmed: Confirmed[] = [];
  let left = actions;
  for (let expired = 0; ; expired += 1) {
    const started = left;
    try {
      const last = confirmed.at(-1);
      const builder = last === undefined ? client : client.after(last.slot);
      const buildLeft = (request: RequestOptions) => build(builder, started, request);
      for await (const { sent, later } of confirmations(builder, signer, options, buildLeft)) {
        confirmed.push(sent);
        // An action is done when no later transaction has a part of it.
        left = started.slice(Math.min(started.length, ...later));
      }
      return resultOf(confirmed);
    } catch (error) {
      if (expired > 0 || !hasCode(error, 'TRANSACTION_EXPIRED')) throw error;
    }
  }
}

function checkWallet(wallet: string | undefined, signer: TransactionSigner): void {
  if (signer.address === wallet) return;
  throw new SluiceError(`The signer is ${signer.address}, but the action is one of ${wallet}.`, {
    code: 'SIGNER_MISMATCH',
    retryable: false,
  });
}

interface Confirmation {
  readonly sent: Confirmed;
  /** Steps of the plan of which a later transaction has a part. */
  readonly later: readonly number[];
}

/** Builds a plan, and signs, sends and confirms each of its transactions. */
async function* confirmations(
  client: SluiceClient,
  signer: TransactionSigner,
  { signal, onProgress }: RunActionOptions,
  build: (request: RequestOptions) => Promise<ActionPlan>,
): AsyncGenerator<Confirmation, void, undefined> {
  const request = signal === undefined ? {} : { signal };
  onProgress?.({ step: 'building' });
  const plan = await build(request);
  for (const [index, transaction] of plan.transactions.entries()) {
    const position = { number: index + 1, of: plan.transactions.length };
    onProgress?.({ step: 'signing', plan, ...position });
    const signed = await sign(signer, transaction.base64);
    signal?.throwIfAborted();
    const confirming = (signature: string | null) =>
      onProgress?.({ step: 'confirming', signature, ...position });
    confirming(null);
    const { lastValidBlockHeight } = transaction;
    const sent = await sendTransaction(client, signed, {
      ...request,
      lastValidBlockHeight,
      onPending: confirming,
    });
    yield { sent, later: plan.transactions.slice(index + 1).flatMap(({ steps }) => steps) };
  }
}

async function sign(signer: TransactionSigner, unsigned: string): Promise<string> {
  const failure = (reason: string, cause?: unknown) =>
    new SluiceError(`The wallet did not sign: ${reason}`, {
      code: 'SIGNING_FAILED',
      retryable: false,
      cause,
    });
  try {
    const [signed] = await signer.signTransactions([unsigned]);
    if (signed !== undefined) return signed;
  } catch (cause) {
    if (cause instanceof SluiceError) throw cause;
    throw failure(cause instanceof Error ? cause.message : String(cause), cause);
  }
  throw failure('it returned no transaction.');
}

function resultOf(confirmed: readonly Confirmed[]): ActionResult {
  const last = confirmed.at(-1);
  if (last === undefined)
    throw new SluiceError('The plan has no transactions.', { code: 'BAD_ANSWER', retryable: false });
  return { signatures: confirmed.map(({ signature }) => signature), slot: last.slot };
}
