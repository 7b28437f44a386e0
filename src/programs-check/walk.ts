import type { KeyPairSigner, Rpc, SolanaRpcApi } from '@solana/kit';
import { isSluiceError } from '../errors/sluice-error.ts';
import { type Simulation, simulateBuild, transactionsOf } from '../services/build-results.ts';
import type { PreparedBuild } from '../services/builds.ts';
import type { Platform } from '../services/platform.ts';
import type { Session } from '../services/records.ts';
import type { CheckedAction } from './actions.ts';
import { compare } from './compare.ts';
import { sendAndConfirm } from './send.ts';

/** Prints a line. */
export type Say = (line: string) => void;

export interface WalkContext {
  readonly platform: Platform;
  readonly rpc: Rpc<SolanaRpcApi>;
  readonly say: Say;
  /** Of one build or read. */
  readonly timeoutMs: number;
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
      if (!isSluiceError(error)) throw error;
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
  const session = await open(context);
  let prepared: PreparedBuild;
  try {
    prepared = await action.prepare(session);
  } catch (error) {
    if (signer !== null || !isSluiceError(error) || !NOTHING_THERE.includes(error.code)) throw error;
    line('skip', 'build', `${error.code}: the wallet has nothing to act on before --send has been used`);
    return true;
  }
  const preview = prepared.build.preview();
  const names = prepared.build.action.instructions.map(({ name }) => name);
  line('ok', 'build', names.join(', '));
  for (const { level, code, message } of preview.warnings)
    line('note', level.toLowerCase(), `${code}: ${message}`);
  const simulation = await simulateBuild(session, prepared);
  if (!simulation.success) {
    line('FAIL', 'simulate', failureText(simulation));
    return false;
  }
  line('ok', 'simulate', `${simulation.unitsConsumed ?? 'unknown'} compute units`);
  if (signer === null) return true;
  const slot = await sendAll(session, prepared, simulation, signer, context, line);
  const { agrees, says } = compare(preview, await action.readBack(await open(context, slot)));
  line(agrees ? 'ok' : 'FAIL', 'read back', says);
  return agrees;
}

function open({ platform, timeoutMs }: WalkContext, minSlot?: bigint): Promise<Session> {
  return platform.openSession({ minSlot, signal: AbortSignal.timeout(timeoutMs) });
}

function failureText({ error, logs }: Simulation): string {
  const last = logs.at(-1);
  const said = error === null ? 'no reason was given' : `${error.name ?? error.code}: ${error.message}`;
  return last === undefined ? said : `${said} (${last})`;
}

/** Set-up goes first when it has a transaction of its own. Gives the slot of the last one. */
async function sendAll(
  session: Session,
  prepared: PreparedBuild,
  { suggestedUnitLimit }: Simulation,
  signer: KeyPairSigner,
  { rpc }: WalkContext,
  line: Line,
): Promise<bigint> {
  const planned = await transactionsOf(session, prepared);
  // What was simulated is the first transaction: its limit is the whole action's only when there is no other.
  const limited =
    planned.length === 1 && suggestedUnitLimit !== null
      ? { ...prepared, options: { ...prepared.options, computeUnitLimit: suggestedUnitLimit } }
      : prepared;
  let slot = 0n;
  for (const transaction of limited === prepared ? planned : await transactionsOf(session, limited)) {
    const sent = await sendAndConfirm(rpc, transaction, signer);
    line('ok', 'send', `${sent.signature}, confirmed in slot ${sent.slot}`);
    slot = sent.slot;
  }
  return slot;
}
