import { syncNative } from '@sluice/protocol/token/instructions';
import { rentLamports } from '../account-store.ts';
import { ensure } from '../anchor.ts';
import { subtractChecked } from './amounts.ts';
import { TOKEN_ERROR } from './token-errors.ts';
import { tokenInstruction } from './token-instruction.ts';
import { checkOwnedByProgram, readTokenAccount, writeTokenAccount } from './token-state.ts';

/** Counts lamports that were sent to an account of wrapped SOL. */
export const syncNativeInstruction = tokenInstruction(
  syncNative,
  3_045,
  ({ invocation: { program }, accounts: { account } }) => {
    checkOwnedByProgram(account, program);
    const state = readTokenAccount(account, program);
    ensure(state.nativeRentLamports !== null, TOKEN_ERROR.nonNativeNotSupported);
    const nativeRentLamports = rentLamports(account.data.length);
    const amount = subtractChecked(account.lamports, nativeRentLamports);
    writeTokenAccount(account, { ...state, amount, nativeRentLamports });
  },
);
