import { ctokenVault as ctokenVaultAddress, vaultAuthority } from '@sluice/protocol/kvault/addresses';
import { withdrawPendingFees as layout } from '@sluice/protocol/kvault/curator-instructions';
import { INSTRUCTIONS_SYSVAR, MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { ANCHOR_ERRORS, anchorInstruction, ensure, type NamedAccounts } from '../anchor.ts';
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
import { unsigned64 } from '../klend/fraction.ts';
import { ReserveState } from '../klend/reserve-state.ts';
import { bookFees, type FeeAmounts } from './fee-amounts.ts';
import { releaseRewards } from './fees.ts';
import { holdingsOf } from './holdings.ts';
import { redeemCollateral, refreshReserves } from './lending-calls.ts';
import { transferTokens } from './token-calls.ts';
import { allocationOf, loadVault, openBooks, saveBooks } from './vault-books.ts';
import { VAULT_CODES } from './vault-errors.ts';

type FeeAccounts = NamedAccounts<typeof layout.accounts>;

const { kvault, klend } = MAINNET_PROGRAMS;

/** Pays the fees to the admin: idle tokens first, then what one reserve redeems. */
export const withdrawPendingFees = anchorInstruction(
  layout,
  56_000,
  ({ invocation, accounts, remaining }) => {
    checkAccounts(accounts);
    const { vaultState, tokenVault, ctokenVault, reserve, tokenMint } = accounts;
    const books = openBooks(loadVault(vaultState));
    const reserves = refreshReserves(invocation, books, remaining);
    const before = balancesOf(accounts);
    const allocation = allocationOf(books, reserve.address);
    ensure(allocation.ctokenVault === ctokenVault.address, ANCHOR_ERRORS.requireKeysEqViolated);
    releaseRewards(books, invocation.clock.unixTimestamp);
    const holdings = holdingsOf(invocation, books, reserves);
    const amounts = bookFees(books, holdings, ReserveState.load(reserve), invocation.clock.unixTimestamp);
    saveBooks(vaultState, books);

    const authority = vaultAuthority(kvault, vaultState.address).address;
    if (amounts.ctokens > 0n) {
      const call = {
        lendingMarket: accounts.lendingMarket.address,
        reserve: reserve.address,
        lendingMarketAuthority: accounts.lendingMarketAuthority.address,
        reserveLiquidityMint: tokenMint.address,
        reserveCollateralMint: accounts.reserveCollateralMint.address,
        reserveLiquiditySupply: accounts.reserveLiquiditySupply.address,
        userSourceCollateral: ctokenVault.address,
        userDestinationLiquidity: tokenVault.address,
        collateralTokenProgram: accounts.reserveCollateralTokenProgram.address,
        liquidityTokenProgram: accounts.tokenProgram.address,
        instructionSysvarAccount: accounts.instructionSysvarAccount.address,
      };
      redeemCollateral(invocation, authority, call, amounts.ctokens);
    }
    const received = unsigned64(balanceOf(tokenVault) - before.tokens);
    ensure(received >= amounts.liquidityForAdmin, VAULT_CODES.notEnoughLiquidityDisinvestedToSendToUser);
    const transfer = {
      source: tokenVault,
      destination: accounts.tokenAta,
      mint: tokenMint,
      owner: authority,
      tokenProgram: accounts.tokenProgram.address,
      decimals: loadMint(tokenMint).decimals,
      amount: amounts.available + amounts.liquidityForAdmin,
    };
    transferTokens(invocation, transfer, [authority]);
    checkBalances(before, balancesOf(accounts), amounts);
  },
);

function checkAccounts(accounts: FeeAccounts): void {
  const { vaultAdminAuthority, vaultState, reserve, tokenVault, ctokenVault, tokenAta, tokenMint } = accounts;
  const vault = loadVault(vaultState);
  ReserveState.load(reserve);
  loadTokenAccount(tokenVault);
  loadTokenAccount(ctokenVault);
  loadTokenAccount(tokenAta);
  loadTokenAccount(accounts.reserveLiquiditySupply);
  checkProgram(accounts.klendProgram, klend);
  checkTokenProgram(accounts.tokenProgram);
  checkProgram(accounts.reserveCollateralTokenProgram, TOKEN_PROGRAM);
  checkHasOne(vault.baseVaultAuthority, accounts.baseVaultAuthority);
  checkHasOne(vault.tokenVault, tokenVault);
  checkHasOne(vault.tokenMint, tokenMint);
  checkHasOne(vault.tokenProgram, accounts.tokenProgram);
  checkHasOne(vault.vaultAdminAuthority, vaultAdminAuthority);
  const tokenProgram = accounts.tokenProgram.address;
  loadTokenAccount(tokenVault, { tokenProgram });
  checkSeeds(ctokenVault, ctokenVaultAddress(kvault, vaultState.address, reserve.address));
  loadTokenAccount(ctokenVault, { tokenProgram: TOKEN_PROGRAM });
  loadTokenAccount(tokenAta, {
    mint: tokenMint.address,
    authority: vaultAdminAuthority.address,
    tokenProgram,
  });
  checkAddress(accounts.instructionSysvarAccount, INSTRUCTIONS_SYSVAR);
}

const balancesOf = ({ tokenVault, ctokenVault, tokenAta, reserveLiquiditySupply }: FeeAccounts) => ({
  tokens: balanceOf(tokenVault),
  ctokens: balanceOf(ctokenVault),
  admin: balanceOf(tokenAta),
  reserveLiquidity: balanceOf(reserveLiquiditySupply),
});

type Balances = ReturnType<typeof balancesOf>;

/** The balances must have changed by what was booked. */
function checkBalances(before: Balances, after: Balances, amounts: FeeAmounts): void {
  const code = VAULT_CODES.tooMuchLiquidityToWithdraw;
  const sent = amounts.available + amounts.liquidityForAdmin;
  const fromReserve = before.reserveLiquidity - after.reserveLiquidity;
  ensure(sent === fromReserve + before.tokens - after.tokens, code);
  ensure(before.ctokens - after.ctokens === amounts.ctokens, code);
  ensure(after.admin - before.admin === sent, code);
  ensure(fromReserve === amounts.liquidity, code);
}
