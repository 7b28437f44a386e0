import { vaultAuthority } from '@sluice/protocol/kvault/addresses';
import {
  topupRewards as topUpLayout,
  withdrawRewards as withdrawLayout,
} from '@sluice/protocol/kvault/curator-instructions';
import { lesser } from '@sluice/protocol/numeric/integer';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { anchorInstruction, ensure } from '../anchor.ts';
import { balanceOf, checkHasOne, checkTokenProgram, loadMint, loadTokenAccount } from '../anchor-accounts.ts';
import { unsigned64 } from '../klend/fraction.ts';
import { releaseRewards } from './fees.ts';
import { transferTokens } from './token-calls.ts';
import { loadVault, openBooks, saveBooks } from './vault-books.ts';
import { VAULT_CODES } from './vault-errors.ts';

const { kvault } = MAINNET_PROGRAMS;

/** Adds tokens that become the shareholders' as time passes. Anyone may. */
export const topupRewards = anchorInstruction(topUpLayout, 14_000, ({ invocation, accounts, args }) => {
  const { payer, vaultState, tokenMint, tokenVault, payerTokenTa, tokenProgram } = accounts;
  const vault = loadVault(vaultState);
  const { decimals } = loadMint(tokenMint);
  loadTokenAccount(tokenVault);
  loadTokenAccount(payerTokenTa);
  checkTokenProgram(tokenProgram);
  checkHasOne(vault.tokenMint, tokenMint);
  checkHasOne(vault.tokenVault, tokenVault);
  loadTokenAccount(payerTokenTa, { mint: tokenMint.address, authority: payer.address });

  const { amount } = args;
  ensure(amount > 0n, VAULT_CODES.rewardTopupAmountZero);
  const books = openBooks(vault);
  releaseRewards(books, invocation.clock.unixTimestamp);
  books.rewards.rewardsAvailable = unsigned64(books.rewards.rewardsAvailable + amount);
  if (vault.rewardInfo.rewardPerSecond > 0n) books.rewards.lastIssuanceTs = invocation.clock.unixTimestamp;
  saveBooks(vaultState, books);

  const before = { payer: balanceOf(payerTokenTa), vault: balanceOf(tokenVault) };
  transferTokens(invocation, {
    source: payerTokenTa,
    destination: tokenVault,
    mint: tokenMint,
    owner: payer.address,
    tokenProgram: tokenProgram.address,
    decimals,
    amount,
  });
  const code = VAULT_CODES.rewardTopupAmountNotExpected;
  ensure(balanceOf(payerTokenTa) === unsigned64(before.payer - amount), code);
  ensure(balanceOf(tokenVault) === unsigned64(before.vault + amount), code);
});

/** Takes rewards back that are not released yet, at most all of them. */
export const withdrawRewards = anchorInstruction(withdrawLayout, 14_000, ({ invocation, accounts, args }) => {
  const { vaultAdminAuthority, vaultState, tokenMint, tokenVault, withdrawTokenAccount } = accounts;
  const { tokenProgram } = accounts;
  const vault = loadVault(vaultState);
  const { decimals } = loadMint(tokenMint);
  loadTokenAccount(tokenVault);
  loadTokenAccount(withdrawTokenAccount);
  checkTokenProgram(tokenProgram);
  checkHasOne(vault.vaultAdminAuthority, vaultAdminAuthority);
  checkHasOne(vault.tokenMint, tokenMint);
  checkHasOne(vault.tokenVault, tokenVault);
  checkHasOne(vault.baseVaultAuthority, accounts.baseVaultAuthority);
  loadTokenAccount(withdrawTokenAccount, { mint: tokenMint.address });

  ensure(args.amount > 0n, VAULT_CODES.rewardWithdrawAmountZero);
  const books = openBooks(vault);
  releaseRewards(books, invocation.clock.unixTimestamp);
  const amount = lesser(args.amount, books.rewards.rewardsAvailable);
  books.rewards.rewardsAvailable -= amount;
  saveBooks(vaultState, books);

  const before = { admin: balanceOf(withdrawTokenAccount), vault: balanceOf(tokenVault) };
  if (amount > 0n) {
    const authority = vaultAuthority(kvault, vaultState.address).address;
    const transfer = {
      source: tokenVault,
      destination: withdrawTokenAccount,
      mint: tokenMint,
      owner: authority,
      tokenProgram: tokenProgram.address,
      decimals,
      amount,
    };
    transferTokens(invocation, transfer, [authority]);
  }
  const code = VAULT_CODES.rewardWithdrawAmountNotExpected;
  ensure(balanceOf(withdrawTokenAccount) === unsigned64(before.admin + amount), code);
  ensure(balanceOf(tokenVault) === unsigned64(before.vault - amount), code);
});
