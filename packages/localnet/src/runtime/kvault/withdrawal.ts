import { vaultAuthority, vaultGlobalConfigAddress } from '@sluice/protocol/kvault/addresses';
import { sharesToWithdrawEvent, withdrawResultEvent } from '@sluice/protocol/kvault/events';
import { vaultGlobalConfig } from '@sluice/protocol/kvault/global-config';
import type { vaultWithdraw, vaultWithdrawFromAvailable } from '@sluice/protocol/kvault/instructions';
import { eventAuthority } from '@sluice/protocol/layout/pda';
import { lesser } from '@sluice/protocol/numeric/integer';
import { MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { ANCHOR_ERRORS, ensure, load, type NamedAccounts } from '../anchor.ts';
import {
  balanceOf,
  checkHasOne,
  checkProgram,
  checkSeeds,
  checkTokenProgram,
  loadMint,
  loadTokenAccount,
} from '../anchor-accounts.ts';
import { emit } from '../events.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { unsigned64 } from '../klend/fraction.ts';
import { ReserveState } from '../klend/reserve-state.ts';
import type { Invocation } from '../program.ts';
import { releaseRewards } from './fees.ts';
import { holdingsOf } from './holdings.ts';
import { redeemCollateral, refreshReserves } from './lending-calls.ts';
import { checkPermission } from './permission.ts';
import { burnShares, transferTokens } from './token-calls.ts';
import { allocationOf, loadVault, openBooks, saveBooks, type VaultBooks } from './vault-books.ts';
import { VAULT_CODES } from './vault-errors.ts';
import { bookWithdrawal, type WithdrawalSource } from './withdrawal-amounts.ts';
import { type Balances, checkBalances } from './withdrawal-checks.ts';

const { kvault, klend } = MAINNET_PROGRAMS;

type UserAccounts = NamedAccounts<typeof vaultWithdrawFromAvailable.accounts>;

/** The accounts of the reserve that pays what idle tokens do not cover. */
export type ReserveAccounts = Pick<
  NamedAccounts<typeof vaultWithdraw.accounts>,
  | 'reserve'
  | 'ctokenVault'
  | 'lendingMarket'
  | 'lendingMarketAuthority'
  | 'reserveLiquiditySupply'
  | 'reserveCollateralMint'
  | 'reserveCollateralTokenProgram'
  | 'instructionSysvarAccount'
>;

/** The checks that both kinds of withdrawal make. */
export function checkUserAccounts(accounts: UserAccounts): void {
  const { user, tokenProgram, userTokenAta, userSharesAta, sharesMint, sharesTokenProgram } = accounts;
  const vault = loadVault(accounts.vaultState);
  load(accounts.globalConfig, vaultGlobalConfig, kvault);
  loadTokenAccount(accounts.tokenVault);
  loadTokenAccount(userTokenAta);
  loadTokenAccount(userSharesAta);
  loadMint(sharesMint);
  checkTokenProgram(tokenProgram);
  checkProgram(sharesTokenProgram, TOKEN_PROGRAM);
  checkProgram(accounts.klendProgram, klend);
  checkHasOne(vault.baseVaultAuthority, accounts.baseVaultAuthority);
  checkHasOne(vault.tokenVault, accounts.tokenVault);
  checkHasOne(vault.tokenMint, accounts.tokenMint);
  checkHasOne(vault.tokenProgram, tokenProgram);
  checkHasOne(vault.sharesMint, sharesMint);
  checkSeeds(accounts.globalConfig, vaultGlobalConfigAddress(kvault));
  loadTokenAccount(accounts.tokenVault, { tokenProgram: tokenProgram.address });
  const authority = user.address;
  loadTokenAccount(userTokenAta, { mint: vault.tokenMint, authority, tokenProgram: tokenProgram.address });
  loadTokenAccount(userSharesAta, {
    mint: sharesMint.address,
    authority,
    tokenProgram: sharesTokenProgram.address,
  });
  checkSeeds(accounts.eventAuthority, eventAuthority(kvault));
}

/** Burns shares and pays the user: idle tokens first, the rest from the reserve, if one is given. */
export function runWithdrawal(
  invocation: Invocation,
  accounts: UserAccounts,
  source: ReserveAccounts | null,
  given: readonly InstructionAccount[],
  sharesAmount: bigint,
): void {
  const { user, vaultState, tokenVault, tokenMint, tokenProgram, userTokenAta, userSharesAta } = accounts;
  const settings = loadVault(vaultState);
  const remaining = checkPermission(settings, given);
  const books = openBooks(settings);
  const config = load(accounts.globalConfig, vaultGlobalConfig, kvault);
  const before = balancesOf(accounts, source);
  const shares = lesser(sharesAmount, before.userShares);
  const reserves = refreshReserves(invocation, books, remaining);
  const from = source === null ? null : sourceOf(books, source);
  ensure(shares > 0n, VAULT_CODES.cannotWithdrawZeroShares);
  const timestamp = invocation.clock.unixTimestamp;
  releaseRewards(books, timestamp);
  const holdings = holdingsOf(invocation, books, reserves);
  const amounts = bookWithdrawal({ books, config, holdings }, from, shares, timestamp);
  saveBooks(vaultState, books);

  const authority = vaultAuthority(kvault, vaultState.address).address;
  burnShares(invocation, accounts.sharesMint, userSharesAta, user.address, amounts.sharesToBurn);
  if (source !== null && amounts.ctokens > 0n) {
    const call = {
      lendingMarket: source.lendingMarket.address,
      reserve: source.reserve.address,
      lendingMarketAuthority: source.lendingMarketAuthority.address,
      reserveLiquidityMint: tokenMint.address,
      reserveCollateralMint: source.reserveCollateralMint.address,
      reserveLiquiditySupply: source.reserveLiquiditySupply.address,
      userSourceCollateral: source.ctokenVault.address,
      userDestinationLiquidity: tokenVault.address,
      collateralTokenProgram: source.reserveCollateralTokenProgram.address,
      liquidityTokenProgram: tokenProgram.address,
      instructionSysvarAccount: source.instructionSysvarAccount.address,
    };
    redeemCollateral(invocation, authority, call, amounts.ctokens);
  }
  const received = unsigned64(balanceOf(tokenVault) - before.tokenVault);
  ensure(received >= amounts.liquidityForUser, VAULT_CODES.notEnoughLiquidityDisinvestedToSendToUser);
  const amount = amounts.available + amounts.liquidityForUser;
  if (amount > 0n) {
    const decimals = Number(books.settings.tokenMintDecimals);
    transferTokens(
      invocation,
      {
        source: tokenVault,
        destination: userTokenAta,
        mint: tokenMint,
        owner: authority,
        tokenProgram: tokenProgram.address,
        decimals,
        amount,
      },
      [authority],
    );
  }
  checkBalances(before, balancesOf(accounts, source), amounts);
  emit(invocation, sharesToWithdrawEvent, { sharesAmount: shares, userSharesBefore: before.userShares });
  emit(invocation, withdrawResultEvent, {
    sharesToBurn: amounts.sharesToBurn,
    availableToSendToUser: amounts.available,
    investedToDisinvestCtokens: amounts.ctokens,
    investedLiquidityToSendToUser: amounts.liquidityForUser,
  });
}

function sourceOf(books: VaultBooks, { reserve, ctokenVault }: ReserveAccounts): WithdrawalSource {
  const allocation = allocationOf(books, reserve.address);
  ensure(allocation.ctokenVault === ctokenVault.address, ANCHOR_ERRORS.requireKeysEqViolated);
  return { allocation, reserve: ReserveState.load(reserve) };
}

function balancesOf(accounts: UserAccounts, source: ReserveAccounts | null): Balances {
  return {
    tokenVault: balanceOf(accounts.tokenVault),
    userTokens: balanceOf(accounts.userTokenAta),
    userShares: balanceOf(accounts.userSharesAta),
    ctokens: source === null ? 0n : balanceOf(source.ctokenVault),
    reserveLiquidity: source === null ? 0n : balanceOf(source.reserveLiquiditySupply),
  };
}
