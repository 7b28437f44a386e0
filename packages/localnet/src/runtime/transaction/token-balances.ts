import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { ProtocolError } from '@sluice/protocol/protocol-error';
import { decodeMint } from '@sluice/protocol/token/mint';
import { decodeTokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import type { AccountReader } from '../account-overlay.ts';
import type { ChainTokenBalance } from '../chain-transaction.ts';
import type { StoredAccount } from '../stored-account.ts';

const TOKEN_PROGRAMS: readonly Address[] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM];

/** The balances of the token accounts among the addresses. Empty unless the transaction names a token program. */
export function tokenBalances(addresses: readonly Address[], accounts: AccountReader): ChainTokenBalance[] {
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
  account: StoredAccount,
  accountIndex: number,
  accounts: AccountReader,
): ChainTokenBalance | null {
  try {
    const { mint, owner, amount } = decodeTokenAccount(account);
    const mintAccount = accounts.get(mint);
    if (mintAccount === undefined) return null;
    const { decimals } = decodeMint(mintAccount);
    return { accountIndex, mint, owner, programId: account.owner, amount, decimals };
  } catch (error) {
    if (error instanceof ProtocolError) return null;
    throw error;
  }
}
