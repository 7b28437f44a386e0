import { TOKEN_2022_PROGRAM } from '@sluice/protocol/program-ids';
import { revoke } from '@sluice/protocol/token/account-instructions';
import { ensure } from '../anchor.ts';
import { checkAuthority } from './authority.ts';
import { TOKEN_ERROR } from './token-errors.ts';
import { tokenInstruction } from './token-instruction.ts';
import { readTokenAccount, writeTokenAccount } from './token-state.ts';

/** In Token-2022 the delegate may give up the delegation itself. */
export const revokeInstruction = tokenInstruction(
  revoke,
  2_677,
  ({ invocation: { program }, accounts: { source, owner }, signers }) => {
    const state = readTokenAccount(source, program);
    ensure(!state.frozen, TOKEN_ERROR.accountFrozen);
    const byDelegate = program === TOKEN_2022_PROGRAM && owner.address === state.delegate;
    checkAuthority(byDelegate ? owner.address : state.owner, { authority: owner, signers }, program);
    writeTokenAccount(source, { ...state, delegate: null, delegatedAmount: 0n });
  },
);
