import { RECENT_BLOCKHASHES_SYSVAR, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { decodeNonceAccount, type NonceAccount } from '@sluice/protocol/system/nonce-account';
import { advanceNonceAccount } from '@sluice/protocol/system/nonce-instructions';
import type { Address } from '@solana/kit';
import { type CodedError, SluiceError } from '../../errors/sluice-error.ts';
import { type BuiltInstruction, instruction } from '../built-instruction.ts';
import type { ReadAccounts } from '../read-accounts.ts';

/** A nonce account that gives a transaction its lifetime, and the signer that may advance it. */
export interface NonceChoice {
  readonly account: Address;
  readonly authority: Address;
}

/** Rejects an authority that does not sign the transaction anyway. */
export function checkNonceAuthority({ authority }: NonceChoice, signers: readonly Address[]): void {
  if (signers.includes(authority)) return;
  throw invalid(`its authority ${authority} is neither the wallet nor the fee payer; pass one of theirs`);
}

/** The nonce that the account stores now. A transaction that names it is valid until the nonce is advanced. */
export function storedNonce({ account, authority }: NonceChoice, read: ReadAccounts): string {
  const found = read(account);
  if (found === null) throw invalid(`there is no account at ${account}; create the nonce account first`);
  const nonce: NonceAccount | null | undefined =
    found.owner === SYSTEM_PROGRAM ? decodeNonceAccount(found.data) : undefined;
  if (nonce === undefined) throw invalid(`${account} is not a nonce account of the current version`);
  if (nonce === null) throw invalid(`the nonce account ${account} is not initialised`);
  if (nonce.authority !== authority) {
    throw invalid(`the authority of ${account} is ${nonce.authority}, not ${authority}`);
  }
  return nonce.durableNonce;
}

/** Advances the nonce, so that the transaction lands at most once. Must be first. */
export function advanceNonce({ account, authority }: NonceChoice): BuiltInstruction {
  return instruction(
    advanceNonceAccount,
    SYSTEM_PROGRAM,
    { nonceAccount: account, recentBlockhashes: RECENT_BLOCKHASHES_SYSVAR, authority },
    {},
    { summary: 'Use up the durable nonce, which takes the place of a blockhash' },
  );
}

/** Whether an instruction of a transaction in first place makes a nonce its lifetime. */
export function isNonceAdvance({ name }: { readonly name: string }): boolean {
  return name === advanceNonceAccount.name;
}

/** For a build that needs several transactions. */
export function nonceForSeveral(): CodedError {
  return invalid('it is good for one transaction, and the build needs more than one; omit it');
}

function invalid(reason: string): CodedError {
  return new SluiceError('DURABLE_NONCE_INVALID', { reason });
}
