import { TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { setAuthority } from '@sluice/protocol/token/account-instructions';
import type { Mint } from '@sluice/protocol/token/mint';
import { TOKEN_ACCOUNT_BYTES, type TokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { ensure } from '../anchor.ts';
import { customError, InstructionError } from '../instruction-error.ts';
import type { Invocation } from '../program.ts';
import { checkAuthority, type Signing } from './authority.ts';
import { hasCpiGuard, hasExtension } from './extension-rules.ts';
import { TOKEN_ERROR } from './token-errors.ts';
import { tokenInstruction } from './token-instruction.ts';
import { isMint, readMint, readTokenAccount, writeMint, writeTokenAccount } from './token-state.ts';

/** Those of the extensions are not modelled. */
const AUTHORITY = { mintTokens: 0, freezeAccount: 1, accountOwner: 2, closeAccount: 3 };

interface Change extends Signing {
  readonly authorityType: number;
  /** Null removes the authority. */
  readonly next: Address | null;
}

const ADDRESS_BYTES = 32;

export const setAuthorityInstruction = tokenInstruction(
  setAuthority,
  3_167,
  ({ invocation, accounts: { account, authority }, args, signers }) => {
    const { authorityType, newAuthorityTag, newAuthority } = args;
    ensure(newAuthorityTag <= 1, TOKEN_ERROR.invalidInstruction);
    const isComplete = newAuthorityTag === 0 || invocation.data.length >= 3 + ADDRESS_BYTES;
    ensure(isComplete, TOKEN_ERROR.invalidInstruction);
    const change = { authority, signers, authorityType, next: newAuthorityTag === 1 ? newAuthority : null };
    const { program } = invocation;
    const isKnown = isMint(account) || account.data.length === TOKEN_ACCOUNT_BYTES;
    if (program === TOKEN_PROGRAM && !isKnown) throw new InstructionError('InvalidArgument');
    if (isMint(account)) {
      writeMint(account, changeMint(readMint(account, program), change, program));
    } else {
      writeTokenAccount(account, changeAccount(readTokenAccount(account, program), change, invocation));
    }
  },
  ADDRESS_BYTES,
);

function changeAccount(
  state: TokenAccount,
  change: Change,
  { program, stackHeight }: Invocation,
): TokenAccount {
  const { authorityType, next } = change;
  ensure(!state.frozen, TOKEN_ERROR.accountFrozen);
  const isGuarded = hasCpiGuard(state);
  if (authorityType === AUTHORITY.accountOwner) {
    checkAuthority(state.owner, change, program);
    ensure(!hasExtension(state, 'immutableOwner'), TOKEN_ERROR.immutableOwner);
    ensure(!isGuarded || stackHeight === 1, TOKEN_ERROR.cpiGuardSetAuthorityBlocked);
    ensure(!isGuarded, TOKEN_ERROR.cpiGuardOwnerChangeBlocked);
    ensure(next !== null, TOKEN_ERROR.invalidInstruction);
    const closeAuthority = state.nativeRentLamports === null ? state.closeAuthority : null;
    return { ...state, owner: next, delegate: null, delegatedAmount: 0n, closeAuthority };
  }
  ensure(authorityType === AUTHORITY.closeAccount, TOKEN_ERROR.authorityTypeNotSupported);
  checkAuthority(state.closeAuthority ?? state.owner, change, program);
  const blocked = isGuarded && stackHeight > 1 && next !== null;
  ensure(!blocked, TOKEN_ERROR.cpiGuardSetAuthorityBlocked);
  return { ...state, closeAuthority: next };
}

function changeMint(mint: Mint, change: Change, program: Address): Mint {
  const { authorityType, next } = change;
  if (authorityType === AUTHORITY.mintTokens) {
    ensure(mint.mintAuthority !== null, TOKEN_ERROR.fixedSupply);
    checkAuthority(mint.mintAuthority, change, program);
    return { ...mint, mintAuthority: next };
  }
  if (authorityType === AUTHORITY.freezeAccount) {
    ensure(mint.freezeAuthority !== null, TOKEN_ERROR.mintCannotFreeze);
    checkAuthority(mint.freezeAuthority, change, program);
    return { ...mint, freezeAuthority: next };
  }
  throw customError(TOKEN_ERROR.authorityTypeNotSupported);
}
