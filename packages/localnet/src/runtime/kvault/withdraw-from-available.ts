import { vaultWithdrawFromAvailable } from '@sluice/protocol/kvault/instructions';
import { anchorInstruction } from '../anchor.ts';
import { checkUserAccounts, runWithdrawal } from './withdrawal.ts';

const UNITS = 52_000;

/** Pays with the vault's idle tokens. */
export const withdrawFromAvailable = anchorInstruction(
  vaultWithdrawFromAvailable,
  UNITS,
  ({ invocation, accounts, args, remaining }) => {
    checkUserAccounts(accounts);
    runWithdrawal(invocation, accounts, null, remaining, args.sharesAmount);
  },
);
