import type { WalletTokenAccount } from '../../builders/action.ts';
import { decodeTokenAccount } from '../../programs/token/token-account.ts';
import { balanceChanges } from '../balance-changes.ts';
import { type Simulation, suggestedUnitLimit } from '../build-results.ts';
import { programFailure } from '../program-failure.ts';
import type { Session } from '../records.ts';
import type { TransactionExplanation } from './explain-transaction.ts';

/** Simulates the transaction as it is, with a fresh blockhash, and compares the balances of the wallet. */
export async function simulateExplained(
  session: Session,
  explanation: TransactionExplanation,
): Promise<Simulation> {
  const { base64, wallet, facts, instructions } = explanation;
  const tokens = tokensOf(session, explanation);
  const result = await session.simulate(base64, [wallet, ...tokens.map(({ address }) => address)]);
  const failed = result.error !== null && result.error !== undefined;
  const units = result.unitsConsumed === null ? null : Number(result.unitsConsumed);
  const lamports = facts.get(wallet)?.account?.lamports ?? 0n;
  const programs = instructions.map(({ programAddress }) => programAddress);
  return {
    success: !failed,
    unitsConsumed: units,
    suggestedUnitLimit: suggestedUnitLimit(units),
    logs: result.logs,
    balanceChanges: failed ? [] : balanceChanges(session.view, lamports, tokens, result.accounts),
    error: failed ? programFailure(session.programs, result, programs) : null,
    slot: result.slot,
    stepUnits: [],
  };
}

/** Token accounts of the wallet that the transaction names, also those that it creates. */
function tokensOf({ view }: Session, { facts, wallet }: TransactionExplanation): WalletTokenAccount[] {
  return [...facts].flatMap(([address, { owner, mint, account }]) => {
    if (mint === null || owner !== wallet) return [];
    const decimals = view.get('mint', mint)?.value.decimals ?? facts.get(mint)?.decimals ?? null;
    const before = account === null ? 0n : decodeTokenAccount(account).amount;
    return decimals === null ? [] : [{ address, mint, decimals, before }];
  });
}
