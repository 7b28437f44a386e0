import type { KeyPairSigner, Rpc, SolanaRpcApi } from '@solana/kit';
import { isSluiceError } from '../../errors/sluice-error.ts';
import type { CheckedAction } from './actions.ts';
import { type Built, build, type Simulation, simulate } from './build.ts';
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

type Mark = 'ok' | 'note' | 'skip' | 'FAIL';

/**
 * Takes every action through build and simulation and, with a signer, through sending and comparing. An action that
 * needs what an earlier one would have left behind is passed over when nothing is sent. A failure ends the walk when
 * something is sent: what follows would act on another state than it is meant for.
 */
export async function walk(
  actions: readonly CheckedAction[],
  signer: KeyPairSigner | null,
  context: WalkContext,
): Promise<boolean> {
  let allWell = true;
  for (const action of actions) {
    const line = (mark: Mark, step: string, says: string) =>
      context.say(`${mark.padEnd(4)}  ${`${action.name}: ${step}`.padEnd(28)}  ${says}`);
    let well = false;
    try {
      well = await step(action, signer, context, line);
    } catch (error) {
      if (!isSluiceError(error) && !(error instanceof GraphError)) throw error;
      line('FAIL', 'stopped', `${error.code}: ${error.message}`);
    }
    allWell &&= well;
    if (!well && signer !== null) return false;
  }
  return allWell;
}

/** Refusals that only say that an earlier action has not been carried out. */
const NOTHING_THERE: readonly string[] = [
  'KLEND_OBLIGATION_NOT_FOUND',
  'KLEND_POSITION_NOT_FOUND',
  'KVAULT_POSITION_NOT_FOUND',
];

type Line = (mark: Mark, step: string, says: string) => void;

async function step(
  action: CheckedAction,
  signer: KeyPairSigner | null,
  context: WalkContext,
  line: Line,
): Promise<boolean> {
  const { ask } = context.gateway;
  let built: Built;
  try {
    built = await build(ask, action.request);
  } catch (error) {
    if (signer !== null || !(error instanceof GraphError) || !NOTHING_THERE.includes(error.code)) throw error;
    line('skip', 'build', `${error.code}: the wallet has nothing to act on before --send has been used`);
    return true;
  }
  line('ok', 'build', `${built.summaries.join(', ')} (${sizes(built)})`);
  for (const { level, code, message } of built.warnings)
    line('note', level.toLowerCase(), `${code}: ${message}`);
  const simulation = await simulate(ask, action.request);
  if (!simulation.success) {
    line('FAIL', 'simulate', failureText(simulation));
    return false;
  }
  line('ok', 'simulate', `${simulation.unitsConsumed ?? 'unknown'} compute units`);
  if (signer === null) return true;
  // What was simulated is the first transaction: its limit is the whole action's only when there is no other.
  const limit = built.transactions.length === 1 ? simulation.suggestedUnitLimit : null;
  const sent = await build(ask, action.request, limit ?? undefined);
  await sendAll(sent, signer, context, line);
  const { agrees, says } = compare(sent.foretold, await action.readBack(ask));
  line(agrees ? 'ok' : 'FAIL', 'read back', says);
  return agrees;
}

const sizes = ({ transactions }: Built) =>
  transactions.map(({ sizeBytes }) => `${sizeBytes} bytes`).join(' and ');

function failureText({ error, logs }: Simulation): string {
  const last = logs.at(-1);
  const said = error === null ? 'no reason was given' : `${error.name ?? error.code}: ${error.message}`;
  return last === undefined ? said : `${said} (${last})`;
}

/** Set-up goes first when it has a transaction of its own. */
async function sendAll(
  { transactions }: Built,
  signer: KeyPairSigner,
  { rpc, gateway }: WalkContext,
  line: Line,
): Promise<void> {
  for (const transaction of transactions) {
    const sent = await sendAndConfirm(rpc, transaction, signer);
    line('ok', 'send', `${sent.signature}, confirmed in slot ${sent.slot}`);
    gateway.notBefore(sent.slot);
  }
}
