import { vaultDeposit, vaultDepositWithMinSharesOut } from '@sluice/protocol/kvault/instructions';
import { placePoint } from '@sluice/protocol/numeric/decimal';
import { TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import type { Instant } from '../../domain/moment.ts';
import type { Amount, AmountRules } from '../amount.ts';
import { type BuiltAction, type BuiltInstruction, instruction } from '../built-instruction.ts';
import { wholeBalance } from '../lending/terms.ts';
import { createTokenAccount, unwrapSol, wrapSol } from '../token-instructions.ts';
import { type VaultAccounts, vaultRemainingAccounts } from './accounts.ts';
import { vaultDepositEffect } from './effects.ts';
import { minSharesOf, type VaultDepositOptions } from './min-shares.ts';
import { stakeShares } from './staking.ts';

export function vaultDepositRules({ vault }: VaultAccounts): AmountRules {
  return { decimals: Number(vault.tokenMintDecimals), maxMeansAll: false };
}

/**
 * Buys shares and stakes them if the vault has a farm. The vault program refreshes the reserves. "All" is the wallet's
 * current balance. The vault may take less than offered, by rounding or up to its deposit cap, so the wrapped-SOL account
 * stays open unless the caller wants it closed.
 *
 * @example
 * buildVaultDeposit(vaultAccounts(request, read, slot), 250_000_000n, moment, { minShares: { slippageBps: 10 } });
 */
export function buildVaultDeposit(
  accounts: VaultAccounts,
  asked: Amount,
  at: Instant,
  { unwrapSol: unwrap = false, minShares: min, hasMinShares = null }: VaultDepositOptions = {},
): BuiltAction {
  const { request, payer, vault, token, shares, tokenProgram, symbol, isSol } = accounts;
  const { wallet } = request;
  const amount =
    asked === 'all'
      ? wholeBalance(token.account?.amount ?? 0n, isSol, accounts.walletLamports, symbol)
      : asked;
  const closes = isSol && unwrap;
  const minShares =
    min &&
    minSharesOf(accounts, { min, hasMinShares }, () => vaultDepositEffect(accounts, amount, at).shares);
  const wrapping = isSol
    ? [
        createTokenAccount({ wallet, payer }, token.address, vault.tokenMint, tokenProgram, symbol),
        ...wrapSol(wallet, token.address, amount),
      ]
    : [];
  return {
    amount,
    all: false,
    ...(minShares === undefined ? {} : { minShares }),
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
      deposit(accounts, amount, minShares),
      ...(accounts.farm === null ? [] : stakeShares(accounts, accounts.farm, 'all')),
      ...(closes ? [unwrapSol(wallet, token.address)] : []),
    ],
  };
}

function deposit(
  accounts: VaultAccounts,
  maxAmount: bigint,
  minSharesOut: bigint | undefined,
): BuiltInstruction {
  const { request, vault, token, shares, tokenProgram, symbol } = accounts;
  const { programs, wallet } = request;
  const named = {
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
  };
  const summary = `Deposit up to ${placePoint(maxAmount, Number(vault.tokenMintDecimals))} ${symbol} into the vault`;
  const remaining = vaultRemainingAccounts(accounts);
  if (minSharesOut === undefined) {
    return instruction(vaultDeposit, programs.kvault, named, { maxAmount }, { summary, remaining });
  }
  const least = placePoint(minSharesOut, Number(vault.sharesMintDecimals));
  return instruction(
    vaultDepositWithMinSharesOut,
    programs.kvault,
    named,
    { maxAmount, minSharesOut },
    { summary: `${summary} for at least ${least} shares`, remaining },
  );
}
