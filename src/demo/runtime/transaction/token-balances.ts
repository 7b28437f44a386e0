import type { Address } from '@solana/kit';
import { SluiceError } from '../../../errors/sluice-error.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../programs/program-ids.ts';
import { decodeMint } from '../../../programs/token/mint.ts';
import { decodeTokenAccount } from '../../../programs/token/token-account.ts';
import type { LedgerAccount, LedgerTokenBalance } from '../../ledger.ts';
import type { AccountReader } from '../account-overlay.ts';

const TOKEN_PROGRAMS: readonly Address[] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM];

/** The balances of the token accounts among the addresses. Empty unless the transaction names a token program. */
export function tokenBalances(addresses: readonly Address[], accounts: AccountReader): LedgerTokenBalance[] {
  if (!addresses.some((address) => TOKEN_PROGRAMS.includes(address))) return [];
  return addresses.flatMap((address, accountIndex) => {
    const account = accounts.get(address);
    if (account === undefined || account.lamports === 0n || !TOKEN_PROGRAMS.includes(account.owner))
      return [];
    return balanceOf(account, accountIndex, accounts) ?? [];
  });
}

/** Null for a mint, or an account that is not initialised. */
function balanceOf(
  account: LedgerAccount,
  accountIndex: number,
  accounts: AccountReader,
): LedgerTokenBalance | null {
  try {
    const { mint, owner, amount } = decodeTokenAccount(account);
    const mintAccount = accounts.get(mint);
    if (mintAccount === undefined) return null;
    const { decimals } = decodeMint(mintAccount);
    return { accountIndex, mint, owner, programId: account.owner, amount, decimals };
  } catch (error) {
    if (error instanceof SluiceError) return null;
    throw error;
  }
}
