import { placePoint } from '../../numeric/decimal.ts';
import { vaultDeposit } from '../../programs/kvault/instructions.ts';
import { TOKEN_PROGRAM } from '../../programs/program-ids.ts';
import type { Amount, AmountRules } from '../amount.ts';
import { type ActionOptions, type BuiltAction, instruction } from '../built-instruction.ts';
import { wholeBalance } from '../lending/terms.ts';
import { createTokenAccount, unwrapSol, wrapSol } from '../token-instructions.ts';
import { type VaultAccounts, vaultReserveAccounts } from './accounts.ts';
import { stakeShares } from './staking.ts';

export function vaultDepositRules({ vault }: VaultAccounts): AmountRules {
  return { decimals: Number(vault.tokenMintDecimals), maxMeansAll: false };
}

/**
 * Buys shares and stakes them if the vault has a farm. The vault program refreshes the reserves. "All" is the wallet's
 * current balance. The vault may take a few lamports less than offered, so the wrapped-SOL account stays open unless the
 * caller wants it closed.
 */
export function buildVaultDeposit(
  accounts: VaultAccounts,
  asked: Amount,
  { unwrapSol: unwrap = false }: ActionOptions = {},
): BuiltAction {
  const { request, payer, vault, token, shares, tokenProgram, symbol, isSol } = accounts;
  const { programs, wallet } = request;
  const amount =
    asked === 'all'
      ? wholeBalance(token.account?.amount ?? 0n, isSol, accounts.walletLamports, symbol)
      : asked;
  const closes = isSol && unwrap;
  const wrapping = isSol
    ? [
        createTokenAccount({ wallet, payer }, token.address, vault.tokenMint, tokenProgram, symbol),
        ...wrapSol(wallet, token.address, amount),
      ]
    : [];
  return {
    amount,
    all: false,
    wrappedSol: isSol ? (closes ? 'closed' : 'open') : null,
    instructions: [
      ...wrapping,
      createTokenAccount(
        { wallet, payer },
        shares.address,
        vault.sharesMint,
        TOKEN_PROGRAM,
        'the vault shares',
      ),
      instruction(
        vaultDeposit,
        programs.kvault,
        {
          user: wallet,
          vaultState: request.vault,
          tokenVault: vault.tokenVault,
          tokenMint: vault.tokenMint,
          baseVaultAuthority: vault.baseVaultAuthority,
          sharesMint: vault.sharesMint,
          userTokenAta: token.address,
          userSharesAta: shares.address,
          klendProgram: programs.klend,
          tokenProgram,
          sharesTokenProgram: TOKEN_PROGRAM,
          eventAuthority: accounts.eventAuthority,
          program: programs.kvault,
        },
        { maxAmount: amount },
        {
          summary: `Deposit up to ${placePoint(amount, Number(vault.tokenMintDecimals))} ${symbol} into the vault`,
          remaining: vaultReserveAccounts(accounts),
        },
      ),
      ...(accounts.farm === null ? [] : stakeShares(accounts, accounts.farm, 'all')),
      ...(closes ? [unwrapSol(wallet, token.address)] : []),
    ],
  };
}
