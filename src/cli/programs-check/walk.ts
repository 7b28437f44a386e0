import type { KeyPairSigner, Rpc, SolanaRpcApi } from '@solana/kit';
import { isCodedError } from '../../errors/sluice-error.ts';
import { type Built, build, type Simulation, simulate } from './build.ts';
import type { CheckedAction } from './checked-action.ts';
import { compare } from './compare.ts';
import { type Gateway, GraphError } from './gateway.ts';
import { sendAndConfirm } from './send.ts';

/** Prints a line. */
export type Say = (line: string) => void;

export interface WalkContext {
  readonly gateway: Gateway;
  readonly rpc: Rpc<SolanaRpcApi>;
  readonly say: Say;
}

type Status = 'ok' | 'note' | 'skip' | 'FAIL';

/**
 * Builds and simulates every action and, with a signer, sends it and compares the outcome. Without sending,
 * an action that depends on an earlier one is skipped. When sending, a failure ends the run, because later
 * actions would start from the wrong state.
 */
export async function walk(
  actions: readonly CheckedAction[],
  signer: KeyPairSigner | null,
  context: WalkContext,
): Promise<boolean> {
  let allSucceeded = true;
  for (const action of actions) {
    const line = (status: Status, step: string, text: string) =>
      context.say(`${status.padEnd(4)}  ${`${action.name}: ${step}`.padEnd(28)}  ${text}`);
    let succeeded = false;
    try {
      succeeded = await step(action, signer, context, line);
    } catch (error) {
      if (!isCodedError(error) && !(error instanceof GraphError)) throw error;
      line('FAIL', 'stopped', `${error.code}: ${error.message}`);
    }
    allSucceeded &&= succeeded;
    if (!succeeded && signer !== null) return false;
  }
  return allSucceeded;
}

/** Refusals that only mean that an earlier action was not sent. */
const NO_POSITION: readonly string[] = [
  'KLEND_OBLIGATION_NOT_FOUND',
  'KLEND_POSITION_NOT_FOUND',
  'KVAULT_NOT_FOUND',
  'KVAULT_POSITION_NOT_FOUND',
  'KLEND_ORDER_NOT_FOUND',
];

type Line = (status: Status, step: string, text: string) => void;

async function step(
  action: CheckedAction,
  signer: KeyPairSigner | null,
  context: WalkContext,
  line: Line,
): Promise<boolean> {
  const { ask } = context.gateway;
  const request = await action.prepare(ask);
  if ('skipped' in request) {
    line('skip', 'build', request.skipped);
    return true;
  }
  let built: Built;
  try {
    built = await build(ask, request);
  } catch (error) {
    const reason = error instanceof GraphError ? reasonToSkip(action, signer, error) : null;
    if (reason === null) throw error;
    line('skip', 'build', reason);
    return true;
  }
  line('ok', 'build', `${built.summaries.join(', ')} (${sizes(built)})`);
  for (const { level, code, message } of built.warnings)
    line('note', level.toLowerCase(), `${code}: ${message}`);
  const simulation = await simulate(ask, request);
  if (built.warnings.some(({ level }) => level === 'ERROR')) return isRefused(simulation, line);
  if (!simulation.success) {
    line('FAIL', 'simulate', failureText(simulation));
    return false;
  }
  line('ok', 'simulate', `${simulation.unitsConsumed ?? 'unknown'} compute units`);
  if (signer === null) return true;
  const before = await action.readBack(ask, built.preview);
  // Only the first transaction is simulated, so its limit applies only when there is no other.
  const limit = built.transactions.length === 1 ? simulation.suggestedUnitLimit : null;
  const sent = await build(ask, request, limit ?? undefined);
  await sendAll(sent, [signer, ...(action.signers ?? [])], context, line);
  const { agrees, text } = compare(
    action.predicted(sent.preview, before),
    await action.readBack(ask, sent.preview),
  );
  line(agrees ? 'ok' : 'FAIL', 'read back', text);
  return agrees;
}

/** Why a refusal is no failure; null when it is one. */
function reasonToSkip(
  { nothingToDo = [] }: CheckedAction,
  signer: KeyPairSigner | null,
  { code, message }: GraphError,
): string | null {
  if (nothingToDo.includes(code)) return `${code}: ${message}`;
  if (signer === null && NO_POSITION.includes(code))
    return `${code}: needs a position that only --send creates`;
  return null;
}

/** The preview foresees an error, so the cluster must refuse the transaction as well. It is never sent. */
function isRefused(simulation: Simulation, line: Line): boolean {
  if (simulation.success) {
    line('FAIL', 'simulate', 'succeeds, although the preview foresees an error');
    return false;
  }
  line('ok', 'refused', failureText(simulation));
  return true;
}

const sizes = ({ transactions }: Built) =>
  transactions.map(({ sizeBytes }) => `${sizeBytes} bytes`).join(' and ');

function failureText({ error, logs }: Simulation): string {
  const last = logs.at(-1);
  const reason = error === null ? 'no reason given' : `${error.name ?? error.code}: ${error.message}`;
  return last === undefined ? reason : `${reason} (${last})`;
}

/** Sends in order: a separate set-up transaction comes first. */
async function sendAll(
  { transactions }: Built,
  signers: readonly KeyPairSigner[],
  { rpc, gateway }: WalkContext,
  line: Line,
): Promise<void> {
  for (const transaction of transactions) {
    const sent = await sendAndConfirm(rpc, transaction, signers);
    line('ok', 'send', `${sent.signature}, confirmed in slot ${sent.slot}`);
    gateway.notBefore(sent.slot);
  }
}
