import { RECENT_BLOCKHASHES_SYSVAR, RENT_SYSVAR } from '@sluice/protocol/program-ids';
import { decodeNonceAccount, type NonceAccount } from '@sluice/protocol/system/nonce-account';
import { newestBlockhash, type RecentBlockhash } from '@sluice/protocol/sysvar/recent-blockhashes';
import type { Address } from '@solana/kit';
import type { InstructionAccount } from '../instruction-account.ts';
import { InstructionError } from '../instruction-error.ts';
import { failWith, type NativeCall } from '../native.ts';

/** The nonce account in first place; null when it is not initialised. */
export function nonceOf(action: string, { invocation, account }: NativeCall<unknown>): NonceAccount | null {
  const subject = account(0);
  if (!subject.isWritable) {
    const message = `${action} nonce account: Account ${subject.address} must be writeable`;
    failWith(invocation, message, new InstructionError('InvalidArgument'));
  }
  const nonce = decodeNonceAccount(subject.data);
  if (nonce === undefined) throw new InstructionError('InvalidAccountData');
  return nonce;
}

export function invalidState(action: string, { invocation, account }: NativeCall<unknown>): never {
  const message = `${action} nonce account: Account ${account(0).address} state is invalid`;
  return failWith(invocation, message, new InstructionError('InvalidAccountData'));
}

export function mustSign(
  action: string,
  signer: Address,
  { invocation, hasSigned }: NativeCall<unknown>,
): void {
  if (hasSigned(signer)) return;
  const message = `${action} nonce account: Account ${signer} must sign`;
  failWith(invocation, message, new InstructionError('MissingRequiredSignature'));
}

/** The newest block in the sysvar at this position; null when there is none. */
export function recentBlockhash(account: InstructionAccount): RecentBlockhash | null {
  if (account.address !== RECENT_BLOCKHASHES_SYSVAR) throw new InstructionError('InvalidArgument');
  return newestBlockhash(account.data);
}

export function checkRentSysvar(account: InstructionAccount): void {
  if (account.address !== RENT_SYSVAR) throw new InstructionError('InvalidArgument');
}
