import { CLOCK_SYSVAR } from '@sluice/protocol/program-ids';
import { decodeTokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import type { WalletTokenAccount } from '../../builders/action.ts';
import { distinct } from '../../builders/read-accounts.ts';
import type { SimulationResult } from '../../chain/session/simulate.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import { balanceChanges } from '../builds/balance-changes.ts';
import { type Simulation, suggestedUnitLimit } from '../builds/results.ts';
import type { Session } from '../request/session.ts';
import { type ProgramFailure, programFailure } from '../sending/program-failure.ts';
import type { TransactionExplanation } from './explain-transaction.ts';

/** A simulated transaction. */
export interface SimulatedTransaction {
  readonly result: SimulationResult;
  /** Null when it would succeed. */
  readonly failure: ProgramFailure | null;
  /** The accounts that it may change, price accounts and the clock, as it leaves them. Null for one that would not exist. */
  readonly after: ReadonlyMap<Address, SimulationResult['accounts'][number]>;
}

const simulations = new WeakMap<TransactionExplanation, Promise<SimulatedTransaction>>();

/** Simulates the transaction as it is, with a fresh blockhash. Once, however many fields ask for it. */
export function simulated(
  session: Session,
  explanation: TransactionExplanation,
): Promise<SimulatedTransaction> {
  const known = simulations.get(explanation) ?? simulateOnce(session, explanation);
  simulations.set(explanation, known);
  return known;
}

async function simulateOnce(
  session: Session,
  explanation: TransactionExplanation,
): Promise<SimulatedTransaction> {
  const programs = explanation.instructions.map(({ programAddress }) => programAddress);
  const watched = watchedAccounts(session, explanation, programs);
  const result = await session.simulate(explanation.base64, watched);
  const failed = result.error !== null && result.error !== undefined;
  const after = new Map(watched.map((address, i) => [address, result.accounts[i] ?? null]));
  // Every chain has a clock. Without accounts in the answer, everything would seem to be closed.
  if (!failed && after.get(CLOCK_SYSVAR) === null) {
    const reason = 'it gives no accounts after the transaction';
    throw new SluiceError('RPC_BAD_RESPONSE', { method: 'simulateTransaction', reason });
  }
  return { result, failure: failed ? programFailure(session.programs, result, programs) : null, after };
}

/** An RPC returns at most as many accounts as the transaction has. The clock takes the place of a program. */
function watchedAccounts(
  { view }: Session,
  { accounts }: TransactionExplanation,
  programs: readonly Address[],
): Address[] {
  const watched = accounts.flatMap(({ address, isWritable }) =>
    address !== null && (isWritable || view.get('oracle', address) !== undefined) ? [address] : [],
  );
  const changeable = distinct(watched).filter((address) => !programs.includes(address));
  return changeable.length < accounts.length ? [...new Set([...changeable, CLOCK_SYSVAR])] : changeable;
}

/** The outcome of the simulation, with the balances of the wallet that it changes. */
export async function simulateExplained(
  session: Session,
  explanation: TransactionExplanation,
): Promise<Simulation> {
  const { result, failure, after } = await simulated(session, explanation);
  const { wallet, facts } = explanation;
  const tokens = tokensOf(session, explanation);
  const units = result.unitsConsumed === null ? null : Number(result.unitsConsumed);
  // SOL of an account that the transaction may not change stays the same.
  const lamports = after.has(wallet) ? (facts.get(wallet)?.account?.lamports ?? 0n) : 0n;
  const left = [wallet, ...tokens.map(({ address }) => address)].map((address) => after.get(address) ?? null);
  return {
    success: failure === null,
    unitsConsumed: units,
    suggestedUnitLimit: suggestedUnitLimit(units),
    logs: result.logs,
    balanceChanges: failure === null ? balanceChanges(session.view, lamports, tokens, left) : [],
    error: failure,
    slot: result.slot,
    stepUnits: [],
  };
}

/** Token accounts of the wallet that the transaction may change, also those that it creates. */
function tokensOf(
  { view }: Session,
  { facts, wallet, accounts }: TransactionExplanation,
): WalletTokenAccount[] {
  const writable = new Set(accounts.flatMap(({ address, isWritable }) => (isWritable ? [address] : [])));
  return [...facts].flatMap(([address, { owner, mint, account }]) => {
    if (mint === null || owner !== wallet || !writable.has(address)) return [];
    const decimals = view.get('mint', mint)?.value.decimals ?? facts.get(mint)?.decimals ?? null;
    const before = account === null ? 0n : decodeTokenAccount(account).amount;
    return decimals === null ? [] : [{ address, mint, decimals, before }];
  });
}
