import {
  ctokenVault as ctokenVaultAddress,
  vaultAuthority,
  vaultGlobalConfigAddress,
} from '@sluice/protocol/kvault/addresses';
import { vaultRedeemInKind } from '@sluice/protocol/kvault/allocation-instructions';
import { redeemInKindResultEvent, sharesToWithdrawEvent } from '@sluice/protocol/kvault/events';
import { vaultGlobalConfig } from '@sluice/protocol/kvault/global-config';
import { eventAuthority } from '@sluice/protocol/layout/pda';
import { lesser } from '@sluice/protocol/numeric/integer';
import { MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { anchorInstruction, ensure, load, type NamedAccounts } from '../anchor.ts';
import {
  balanceOf,
  checkAddress,
  checkHasOne,
  checkProgram,
  checkSeeds,
  loadMint,
  loadTokenAccount,
} from '../anchor-accounts.ts';
import { emit } from '../events.ts';
import { subSf } from '../klend/fraction.ts';
import { ReserveState } from '../klend/reserve-state.ts';
import { releaseRewards } from './fees.ts';
import { holdingsOf } from './holdings.ts';
import { refreshReserves } from './lending-calls.ts';
import { checkPermission } from './permission.ts';
import { bookRedemption, type RedemptionAmounts } from './redemption-amounts.ts';
import { burnShares, transferTokens } from './token-calls.ts';
import { allocationOf, aumSfOf, loadVault, openBooks, saveBooks } from './vault-books.ts';
import { VAULT_CODES } from './vault-errors.ts';

type RedeemAccounts = NamedAccounts<typeof vaultRedeemInKind.accounts>;

const { kvault, klend } = MAINNET_PROGRAMS;

/** Burns shares for collateral tokens of one reserve, when the reserve has no liquidity to pay. */
export const redeemInKind = anchorInstruction(
  vaultRedeemInKind,
  58_000,
  ({ invocation, accounts, args, remaining: given }) => {
    checkAccounts(accounts);
    const { vaultState, ctokenVault, userCtokenTa, ctokenMint, userSharesTa, reserve } = accounts;
    const settings = loadVault(vaultState);
    const remaining = checkPermission(settings, given);
    const books = openBooks(settings);
    const config = load(accounts.globalConfig, vaultGlobalConfig, kvault);
    const reserves = refreshReserves(invocation, books, remaining);
    const before = balancesOf(accounts);
    const shares = lesser(args.sharesAmount, before.shares);
    emit(invocation, sharesToWithdrawEvent, { sharesAmount: shares, userSharesBefore: before.shares });
    ensure(shares > 0n, VAULT_CODES.cannotWithdrawZeroShares);
    const { unixTimestamp } = invocation.clock;
    releaseRewards(books, unixTimestamp);
    const source = { allocation: allocationOf(books, reserve.address), reserve: ReserveState.load(reserve) };
    const holdings = holdingsOf(invocation, books, reserves);
    const amounts = bookRedemption({ books, config, holdings }, source, shares, unixTimestamp);
    saveBooks(vaultState, books);
    emit(invocation, redeemInKindResultEvent, {
      sharesToBurn: amounts.sharesToBurn,
      ctokensToSendToUser: amounts.ctokens,
    });
    burnShares(invocation, accounts.sharesMint, userSharesTa, accounts.user.address, amounts.sharesToBurn);
    const authority = vaultAuthority(kvault, vaultState.address).address;
    transferTokens(
      invocation,
      {
        source: ctokenVault,
        destination: userCtokenTa,
        mint: ctokenMint,
        owner: authority,
        tokenProgram: TOKEN_PROGRAM,
        decimals: loadMint(ctokenMint).decimals,
        amount: amounts.ctokens,
      },
      [authority],
    );
    const afterSf = aumSfOf(books, holdingsOf(invocation, books, reserves).totalInvestedSf);
    checkBalances(before, balancesOf(accounts), amounts);
    const decrease = subSf(amounts.aumBeforeSf, afterSf);
    ensure(decrease <= amounts.valueSf, VAULT_CODES.aumDecreasedMoreThanExpected);
  },
);

function checkAccounts(accounts: RedeemAccounts): void {
  const { user, vaultState, reserve, ctokenVault, userCtokenTa, ctokenMint, userSharesTa } = accounts;
  const vault = loadVault(vaultState);
  load(accounts.globalConfig, vaultGlobalConfig, kvault);
  const { collateral } = ReserveState.load(reserve).data;
  for (const account of [ctokenVault, userCtokenTa]) loadTokenAccount(account);
  loadMint(ctokenMint);
  loadTokenAccount(userSharesTa);
  loadMint(accounts.sharesMint);
  checkProgram(accounts.reserveCollateralTokenProgram, TOKEN_PROGRAM);
  checkProgram(accounts.sharesTokenProgram, TOKEN_PROGRAM);
  checkProgram(accounts.klendProgram, klend);
  checkHasOne(vault.baseVaultAuthority, accounts.baseVaultAuthority);
  checkHasOne(vault.sharesMint, accounts.sharesMint);
  checkSeeds(accounts.globalConfig, vaultGlobalConfigAddress(kvault));
  checkSeeds(ctokenVault, ctokenVaultAddress(kvault, vaultState.address, reserve.address));
  const ofMint = (mint: RedeemAccounts['ctokenMint']) => ({
    mint: mint.address,
    tokenProgram: TOKEN_PROGRAM,
  });
  loadTokenAccount(ctokenVault, ofMint(ctokenMint));
  loadTokenAccount(userCtokenTa, { ...ofMint(ctokenMint), authority: user.address });
  checkAddress(ctokenMint, collateral.mintPubkey);
  loadTokenAccount(userSharesTa, { ...ofMint(accounts.sharesMint), authority: user.address });
  checkSeeds(accounts.eventAuthority, eventAuthority(kvault));
}

const balancesOf = ({ userSharesTa, ctokenVault, userCtokenTa }: RedeemAccounts) => ({
  shares: balanceOf(userSharesTa),
  vaultCtokens: balanceOf(ctokenVault),
  userCtokens: balanceOf(userCtokenTa),
});

type Balances = ReturnType<typeof balancesOf>;

/** The balances must have changed by what was booked. */
function checkBalances(
  before: Balances,
  after: Balances,
  { ctokens, sharesToBurn }: RedemptionAmounts,
): void {
  ensure(before.vaultCtokens - after.vaultCtokens === ctokens, VAULT_CODES.liquidityToWithdrawDoesNotMatch);
  ensure(after.userCtokens - before.userCtokens === ctokens, VAULT_CODES.userReceivedAmountDoesNotMatch);
  ensure(before.shares - after.shares === sharesToBurn, VAULT_CODES.sharesBurnedAmountDoesNotMatch);
}
