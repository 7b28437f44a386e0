import { SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { InstructionAccount } from '../instruction-account.ts';
import { customError, InstructionError } from '../instruction-error.ts';
import { failWith } from '../native.ts';
import type { Invocation } from '../program.ts';
import { SYSTEM_ERRORS } from './errors.ts';

const MAX_DATA_BYTES = 10n * 1_024n * 1_024n;

/** Gives a new account its data, all zero. */
export function allocateSpace(
  invocation: Invocation,
  account: InstructionAccount,
  space: bigint,
  isAuthorised: boolean,
): void {
  if (!isAuthorised) {
    const message = `Allocate: 'to' account ${account.address} must sign`;
    failWith(invocation, message, new InstructionError('MissingRequiredSignature'));
  }
  if (account.data.length > 0 || account.owner !== SYSTEM_PROGRAM) {
    const message = `Allocate: account ${account.address} already in use`;
    failWith(invocation, message, customError(SYSTEM_ERRORS.accountAlreadyInUse));
  }
  if (space > MAX_DATA_BYTES) {
    const message = `Allocate: requested ${space}, max allowed ${MAX_DATA_BYTES}`;
    failWith(invocation, message, customError(SYSTEM_ERRORS.invalidAccountDataLength));
  }
  account.write(new Uint8Array(Number(space)));
}

export function assignOwner(
  invocation: Invocation,
  account: InstructionAccount,
  owner: Address,
  isAuthorised: boolean,
): void {
  if (account.owner === owner) return;
  if (!isAuthorised) {
    const message = `Assign: account ${account.address} must sign`;
    failWith(invocation, message, new InstructionError('MissingRequiredSignature'));
  }
  account.assign(owner);
}

/** Turns an address without lamports into an account of a program. */
export function openAccount(
  invocation: Invocation,
  account: InstructionAccount,
  space: bigint,
  owner: Address,
  isAuthorised: boolean,
): void {
  if (account.lamports > 0n) {
    const message = `Create Account: account ${account.address} already in use`;
    failWith(invocation, message, customError(SYSTEM_ERRORS.accountAlreadyInUse));
  }
  allocateSpace(invocation, account, space, isAuthorised);
  assignOwner(invocation, account, owner, isAuthorised);
}
