import { freezeAccount, thawAccount } from '@sluice/protocol/token/account-instructions';
import { ensure } from '../anchor.ts';
import { checkAuthority } from './authority.ts';
import { TOKEN_ERROR } from './token-errors.ts';
import { type TokenCall, tokenInstruction } from './token-instruction.ts';
import { readMint, readTokenAccount, writeTokenAccount } from './token-state.ts';

export const freezeAccountInstruction = tokenInstruction(freezeAccount, 4_265, (call) =>
  setFrozen(call, true),
);

export const thawAccountInstruction = tokenInstruction(thawAccount, 4_267, (call) => setFrozen(call, false));

type FreezeCall = Pick<TokenCall<typeof freezeAccount.accounts>, 'invocation' | 'accounts' | 'signers'>;

function setFrozen(
  { invocation: { program }, accounts: { account, mint, authority }, signers }: FreezeCall,
  frozen: boolean,
): void {
  const state = readTokenAccount(account, program);
  ensure(state.frozen !== frozen, TOKEN_ERROR.invalidState);
  ensure(state.nativeRentLamports === null, TOKEN_ERROR.nativeNotSupported);
  ensure(state.mint === mint.address, TOKEN_ERROR.mintMismatch);
  const { freezeAuthority } = readMint(mint, program);
  ensure(freezeAuthority !== null, TOKEN_ERROR.mintCannotFreeze);
  checkAuthority(freezeAuthority, { authority, signers }, program);
  writeTokenAccount(account, { ...state, frozen });
}
