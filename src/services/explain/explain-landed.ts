import { WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import { type Address, isSignature } from '@solana/kit';
import type { LandedBytes } from '../../chain/relay/landed-transaction.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { BalanceChange } from '../builds/balance-changes.ts';
import type { Session } from '../request/session.ts';
import { type ProgramFailure, programFailure } from '../sending/program-failure.ts';
import type { SentTransactions } from '../sending/sent-transactions.ts';
import { tokenAmount } from '../tokens/amounts.ts';
import { balanceDenomination } from '../vaults/vaults.ts';
import { explainTransaction, type TransactionExplanation } from './explain-transaction.ts';

/** A transaction of a block, in words, with what it did to its fee payer. */
export interface ExplainedLanded {
  readonly signature: string;
  readonly slot: bigint;
  readonly blockTime: Date | null;
  readonly feeLamports: bigint;
  /** Null when it succeeded. */
  readonly failure: ProgramFailure | null;
  readonly logs: readonly string[];
  readonly balanceChanges: readonly BalanceChange[];
  readonly explanation: TransactionExplanation;
}

/** @throws SluiceError SIGNATURE_MALFORMED */
export async function explainLanded(
  session: Session,
  sent: Pick<SentTransactions, 'landed'>,
  signature: string,
): Promise<ExplainedLanded | null> {
  if (!isSignature(signature))
    throw new SluiceError('SIGNATURE_MALFORMED', { value: signature.slice(0, 100) });
  const landed = await sent.landed(signature, session);
  if (landed === null) return null;
  const explanation = await explainTransaction(session, landed.base64, null);
  const programs = explanation.instructions.map(({ programAddress }) => programAddress);
  const { slot, blockTime, feeLamports, error, logs } = landed;
  return {
    signature,
    slot,
    blockTime: blockTime === null ? null : new Date(Number(blockTime) * 1_000),
    feeLamports,
    failure: error === null ? null : programFailure(session.programs, { error, logs }, programs),
    logs,
    balanceChanges: changesOf(session, explanation.feePayer, landed),
    explanation,
  };
}

/** Balances of the fee payer that the transaction changed. Several accounts of a token count as one. */
function changesOf(
  { view }: Session,
  payer: Address,
  { payerLamports: [before, after], tokenBalances }: LandedBytes,
): BalanceChange[] {
  const byMint = new Map<Address, { decimals: number; before: bigint; after: bigint }>();
  const add = (mint: Address, decimals: number, had: bigint, has: bigint) => {
    const known = byMint.get(mint) ?? { decimals, before: 0n, after: 0n };
    byMint.set(mint, { decimals, before: known.before + had, after: known.after + has });
  };
  add(WRAPPED_SOL_MINT, 9, before, after);
  for (const each of tokenBalances)
    if (each.owner === payer) add(each.mint, each.decimals, each.before, each.after);
  return [...byMint].flatMap(([mint, { decimals, before: had, after: has }]) => {
    const amount = (units: bigint) => tokenAmount(view, balanceDenomination(view, mint, decimals), units);
    return had === has ? [] : [{ before: amount(had), after: amount(has), change: amount(has - had) }];
  });
}
