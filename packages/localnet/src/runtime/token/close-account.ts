import { TOKEN_2022_PROGRAM } from '@sluice/protocol/program-ids';
import { closeAccount } from '@sluice/protocol/token/instructions';
import type { Address } from '@solana/kit';
import { ensure } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { InstructionError } from '../instruction-error.ts';
import type { Invocation } from '../program.ts';
import { checkAuthority, isIncinerator, isOwnedByNobody, type Signing } from './authority.ts';
import { hasCpiGuard, hasExtension, mintCloseAuthorityOf, withheldOf } from './extension-rules.ts';
import { TOKEN_ERROR } from './token-errors.ts';
import { tokenInstruction } from './token-instruction.ts';
import { isMint, readMint, readTokenAccount } from './token-state.ts';

/** All lamports go to the destination, so closing an account of wrapped SOL unwraps it. */
export const closeAccountInstruction = tokenInstruction(
  closeAccount,
  2_916,
  ({ invocation, accounts: { account, destination, owner }, signers }) => {
    const signing = { authority: owner, signers };
    if (account.address === destination.address) throw new InstructionError('InvalidAccountData');
    if (invocation.program === TOKEN_2022_PROGRAM && isMint(account)) {
      checkMint(account, signing, invocation.program);
    } else {
      checkTokenAccount(account, destination, signing, invocation);
    }
    account.close(destination);
  },
);

function checkTokenAccount(
  account: InstructionAccount,
  destination: InstructionAccount,
  signing: Signing,
  { program, stackHeight }: Invocation,
): void {
  const state = readTokenAccount(account, program);
  const isEmpty = state.nativeRentLamports !== null || state.amount === 0n;
  ensure(isEmpty, TOKEN_ERROR.nonNativeHasBalance);
  if (isOwnedByNobody(state)) {
    if (!isIncinerator(destination)) throw new InstructionError('InvalidAccountData');
  } else {
    const guarded = hasCpiGuard(state) && stackHeight > 1 && destination.address !== state.owner;
    ensure(!guarded, TOKEN_ERROR.cpiGuardCloseAccountBlocked);
    checkAuthority(state.closeAuthority ?? state.owner, signing, program);
  }
  ensure((withheldOf(state) ?? 0n) === 0n, TOKEN_ERROR.accountHasWithheldTransferFees);
}

function checkMint(account: InstructionAccount, signing: Signing, program: Address): void {
  const mint = readMint(account, program);
  if (!hasExtension(mint, 'mintCloseAuthority')) throw new InstructionError('InvalidAccountData');
  const authority = mintCloseAuthorityOf(mint);
  ensure(authority !== null, TOKEN_ERROR.authorityTypeNotSupported);
  checkAuthority(authority, signing, program);
  ensure(mint.supply === 0n, TOKEN_ERROR.mintHasSupply);
}
