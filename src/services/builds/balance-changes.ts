import { WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import { decodeTokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import type { WalletTokenAccount } from '../../builders/action.ts';
import type { View } from '../../chain/view/view.ts';
import { isCodedError } from '../../errors/sluice-error.ts';
import type { Session } from '../request/session.ts';
import { type TokenAmount, tokenAmount } from '../tokens/amounts.ts';
import { balanceDenomination } from '../vaults/vaults.ts';

export interface BalanceChange {
  readonly before: TokenAmount;
  readonly after: TokenAmount;
  readonly change: TokenAmount;
}

type After = Awaited<ReturnType<Session['simulate']>>['accounts'];

/**
 * Balances of a wallet that a simulation changes.
 *
 * @param after the wallet and then the token accounts, as the simulation leaves them
 */
export function balanceChanges(
  view: View,
  lamports: bigint,
  accounts: readonly WalletTokenAccount[],
  after: After,
): BalanceChange[] {
  const changed = (mint: Address, decimals: number, before: bigint, now: bigint): BalanceChange[] => {
    const amount = (baseUnits: bigint) =>
      tokenAmount(view, balanceDenomination(view, mint, decimals), baseUnits);
    return before === now
      ? []
      : [{ before: amount(before), after: amount(now), change: amount(now - before) }];
  };
  const [wallet, ...tokens] = after;
  return [
    ...changed(WRAPPED_SOL_MINT, 9, lamports, wallet?.lamports ?? 0n),
    ...accounts.flatMap(({ mint, decimals, before }, i) =>
      changed(mint, decimals, before, tokenBalance(tokens[i] ?? null)),
    ),
  ];
}

/** 0 for an account that would be closed, or was never a token account. */
function tokenBalance(account: After[number]): bigint {
  if (account === null) return 0n;
  try {
    return decodeTokenAccount(account).amount;
  } catch (error) {
    if (isCodedError(error)) return 0n;
    throw error;
  }
}
