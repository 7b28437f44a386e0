import type { Session } from '../request/session.ts';
import type { ProgramFailure } from '../sending/program-failure.ts';
import type { TransactionExplanation } from './explain-transaction.ts';
import { type ObligationEffect, obligationEffects } from './obligation-effects.ts';
import { simulated } from './simulate-explained.ts';
import { statesAround } from './states-around.ts';
import { type VaultEffect, vaultEffects } from './vault-effects.ts';

/** Effects of a transaction on positions, from the accounts that its simulation leaves. */
export interface TransactionEffects {
  /** Null when the simulation fails; so are the vault positions. */
  readonly obligations: readonly ObligationEffect[] | null;
  readonly vaultPositions: readonly VaultEffect[] | null;
  /** Why there are no effects; null when the simulation succeeds. */
  readonly error: ProgramFailure | null;
  readonly slot: bigint;
}

const NO_EFFECTS = { obligations: [], vaultPositions: [], error: null } as const;

/** Compares the accounts before a transaction with those after its simulation. It may call any programs. */
export async function transactionEffects(
  session: Session,
  explanation: TransactionExplanation,
): Promise<TransactionEffects> {
  const simulation = await simulated(session, explanation);
  const { failure: error, result } = simulation;
  if (error !== null) return { obligations: null, vaultPositions: null, error, slot: result.slot };
  // Without a program nothing can change, and the RPC returns no clock.
  if (explanation.instructions.length === 0) return { ...NO_EFFECTS, slot: result.slot };
  const states = await statesAround(session, explanation, simulation);
  return {
    obligations: obligationEffects(states),
    vaultPositions: await vaultEffects(session, states),
    error: null,
    slot: result.slot,
  };
}
