import {
  ctokenVault as ctokenVaultAddress,
  vaultAuthority,
  reserveWhitelistEntry as whitelistAddress,
} from '@sluice/protocol/kvault/addresses';
import { vaultInvest, vaultInvestWithMaxAmount } from '@sluice/protocol/kvault/allocation-instructions';
import { reserveWhitelistEntryAccount } from '@sluice/protocol/kvault/reserve-whitelist-entry';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { INSTRUCTIONS_SYSVAR, MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import {
  ANCHOR_ERRORS,
  anchorInstruction,
  type CallOf,
  ensure,
  load,
  type NamedAccounts,
} from '../anchor.ts';
import {
  balanceOf,
  checkAddress,
  checkHasOne,
  checkProgram,
  checkSeeds,
  checkTokenProgram,
  loadMint,
  loadTokenAccount,
} from '../anchor-accounts.ts';
import { ReserveState } from '../klend/reserve-state.ts';
import { releaseRewards } from './fees.ts';
import { holdingsOf } from './holdings.ts';
import { bookInvestment, type InvestmentAmounts } from './investment-amounts.ts';
import { depositLiquidity, redeemCollateral, refreshReserves } from './lending-calls.ts';
import { transferTokens } from './token-calls.ts';
import { aumSfOf, loadVault, openBooks, saveBooks } from './vault-books.ts';
import { VAULT_CODES } from './vault-errors.ts';

type InvestAccounts = NamedAccounts<typeof vaultInvest.accounts>;
type InvestCall = Pick<CallOf<typeof vaultInvest>, 'invocation' | 'accounts' | 'remaining'>;

const INVEST_UNITS = 68_000;

const { kvault, klend } = MAINNET_PROGRAMS;

/** Moves tokens between the vault and one reserve, towards its target. Anyone may call it. */
export const invest = anchorInstruction(vaultInvest, INVEST_UNITS, (call) => runInvest(call, U64_MAX));

export const investWithMaxAmount = anchorInstruction(vaultInvestWithMaxAmount, INVEST_UNITS, (call) =>
  runInvest(call, call.args.maxAmount),
);

function runInvest({ invocation, accounts, remaining }: InvestCall, maxAmount: bigint): void {
  checkAccounts(accounts);
  const { vaultState, reserve, payer, reserveWhitelistEntry } = accounts;
  const books = openBooks(loadVault(vaultState));
  const reserves = refreshReserves(invocation, books, remaining);
  const before = balancesOf(accounts);
  releaseRewards(books, invocation.clock.unixTimestamp);
  const holdings = holdingsOf(invocation, books, reserves);
  const mayInvest = () =>
    reserveWhitelistEntry !== null &&
    load(reserveWhitelistEntry, reserveWhitelistEntryAccount, kvault).whitelistInvest === 1;
  const state = ReserveState.load(reserve);
  const amounts = bookInvestment({ books, holdings }, state, invocation.clock, maxAmount, mayInvest);
  const aumSf = aumSfOf(books, holdingsOf(invocation, books, reserves).totalInvestedSf);
  saveBooks(vaultState, books);

  if (amounts.roundingLoss > 0n) {
    transferTokens(invocation, {
      source: accounts.payerTokenAccount,
      destination: accounts.tokenVault,
      mint: accounts.tokenMint,
      owner: payer.address,
      tokenProgram: accounts.tokenProgram.address,
      decimals: loadMint(accounts.tokenMint).decimals,
      amount: amounts.roundingLoss,
    });
  }
  if (amounts.liquidity > 0n) {
    const authority = vaultAuthority(kvault, vaultState.address).address;
    const call = {
      lendingMarket: accounts.lendingMarket.address,
      reserve: reserve.address,
      lendingMarketAuthority: accounts.lendingMarketAuthority.address,
      reserveLiquidityMint: accounts.tokenMint.address,
      reserveCollateralMint: accounts.reserveCollateralMint.address,
      reserveLiquiditySupply: accounts.reserveLiquiditySupply.address,
      collateralTokenProgram: accounts.reserveCollateralTokenProgram.address,
      liquidityTokenProgram: accounts.tokenProgram.address,
      instructionSysvarAccount: accounts.instructionSysvarAccount.address,
    };
    const [tokens, ctokens] = [accounts.tokenVault.address, accounts.ctokenVault.address];
    if (amounts.direction === 'into reserve') {
      const into = { ...call, userSourceLiquidity: tokens, userDestinationCollateral: ctokens };
      depositLiquidity(invocation, authority, into, amounts.liquidity);
    } else {
      const outOf = { ...call, userSourceCollateral: ctokens, userDestinationLiquidity: tokens };
      redeemCollateral(invocation, authority, outOf, amounts.ctokens);
    }
  }
  refreshReserves(invocation, books, remaining);
  const after = holdingsOf(invocation, books, reserves);
  checkBalances(before, balancesOf(accounts), amounts);
  ensure(after.totalSf >= holdings.totalSf, VAULT_CODES.aumDecreasedAfterInvest);
  ensure(aumSfOf(books, after.totalInvestedSf) >= aumSf, VAULT_CODES.aumDecreasedAfterInvest);
}

function checkAccounts(accounts: InvestAccounts): void {
  const { payer, payerTokenAccount, vaultState, tokenMint, ctokenVault, reserve } = accounts;
  const { reserveWhitelistEntry } = accounts;
  loadTokenAccount(payerTokenAccount);
  const vault = loadVault(vaultState);
  loadTokenAccount(accounts.tokenVault);
  loadMint(tokenMint);
  loadTokenAccount(ctokenVault);
  ReserveState.load(reserve);
  if (reserveWhitelistEntry !== null) load(reserveWhitelistEntry, reserveWhitelistEntryAccount, kvault);
  checkProgram(accounts.klendProgram, klend);
  checkProgram(accounts.reserveCollateralTokenProgram, TOKEN_PROGRAM);
  checkTokenProgram(accounts.tokenProgram);
  loadTokenAccount(payerTokenAccount, { mint: tokenMint.address, authority: payer.address });
  checkHasOne(vault.baseVaultAuthority, accounts.baseVaultAuthority);
  checkHasOne(vault.tokenVault, accounts.tokenVault);
  checkHasOne(vault.tokenMint, tokenMint);
  checkHasOne(vault.tokenProgram, accounts.tokenProgram);
  checkSeeds(ctokenVault, ctokenVaultAddress(kvault, vaultState.address, reserve.address));
  loadTokenAccount(ctokenVault, { tokenProgram: TOKEN_PROGRAM });
  if (reserveWhitelistEntry !== null)
    checkSeeds(reserveWhitelistEntry, whitelistAddress(kvault, reserve.address));
  checkAddress(accounts.instructionSysvarAccount, INSTRUCTIONS_SYSVAR);
}

const balancesOf = ({ tokenVault, ctokenVault, reserveLiquiditySupply }: InvestAccounts) => ({
  tokens: balanceOf(tokenVault),
  ctokens: balanceOf(ctokenVault),
  reserveLiquidity: balanceOf(reserveLiquiditySupply),
});

type Balances = ReturnType<typeof balancesOf>;

/** The balances must have changed by what was booked. */
function checkBalances(before: Balances, after: Balances, amounts: InvestmentAmounts): void {
  const sign = amounts.direction === 'into reserve' ? 1n : -1n;
  const moved = sign * amounts.liquidity;
  const code = ANCHOR_ERRORS.requireEqViolated;
  ensure(before.tokens - moved === after.tokens - amounts.roundingLoss, code);
  ensure(before.ctokens + sign * amounts.ctokens === after.ctokens, code);
  ensure(before.reserveLiquidity + moved === after.reserveLiquidity, code);
}
