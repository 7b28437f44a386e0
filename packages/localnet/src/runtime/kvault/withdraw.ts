import { ctokenVault } from '@sluice/protocol/kvault/addresses';
import { vaultWithdraw } from '@sluice/protocol/kvault/instructions';
import { eventAuthority } from '@sluice/protocol/layout/pda';
import { INSTRUCTIONS_SYSVAR, MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { ANCHOR_ERRORS, type AnchorCall, anchorInstruction, ensure } from '../anchor.ts';
import { checkAddress, checkProgram, checkSeeds, loadTokenAccount } from '../anchor-accounts.ts';
import { ReserveState } from '../klend/reserve-state.ts';
import { loadVault } from './vault-books.ts';
import { checkUserAccounts, runWithdrawal } from './withdrawal.ts';

type WithdrawCall = AnchorCall<typeof vaultWithdraw.accounts, typeof vaultWithdraw.args.fields>;

const { kvault } = MAINNET_PROGRAMS;

export const WITHDRAW_UNITS = 64_000;

export const withdraw = anchorInstruction(vaultWithdraw, WITHDRAW_UNITS, runWithdraw);

/** Pays with the vault's idle tokens, then with liquidity of one reserve. */
export function runWithdraw({ invocation, accounts, args, remaining }: WithdrawCall): void {
  checkUserAccounts(accounts);
  checkReserveAccounts(accounts);
  checkSeeds(accounts.outerEventAuthority, eventAuthority(kvault));
  const sameVault = accounts.vaultState.address === accounts.reserveVaultState.address;
  ensure(sameVault, ANCHOR_ERRORS.requireKeysEqViolated);
  runWithdrawal(invocation, accounts, accounts, remaining, args.sharesAmount);
}

function checkReserveAccounts(accounts: WithdrawCall['accounts']): void {
  const { reserveVaultState, reserve } = accounts;
  loadVault(reserveVaultState);
  ReserveState.load(reserve);
  loadTokenAccount(accounts.ctokenVault);
  loadTokenAccount(accounts.reserveLiquiditySupply);
  checkProgram(accounts.reserveCollateralTokenProgram, TOKEN_PROGRAM);
  checkSeeds(accounts.ctokenVault, ctokenVault(kvault, reserveVaultState.address, reserve.address));
  loadTokenAccount(accounts.ctokenVault, { tokenProgram: TOKEN_PROGRAM });
  checkAddress(accounts.instructionSysvarAccount, INSTRUCTIONS_SYSVAR);
}
