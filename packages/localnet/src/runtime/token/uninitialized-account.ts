import { ProtocolError } from '@sluice/protocol/protocol-error';
import { type Extension, readExtensions } from '@sluice/protocol/token/extensions';
import { TOKEN_ACCOUNT_BYTES, TOKEN_ACCOUNT_OFFSETS } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { ensure } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { InstructionError } from '../instruction-error.ts';
import { TOKEN_ERROR } from './token-errors.ts';
import { checkLength } from './token-state.ts';

/** The account type of an account that has extensions already, but is not initialised. */
export const UNINITIALIZED_TYPE = 0;

/** Checks that a token account can be initialised, and returns the extensions that it has already. */
export function readUninitialized(account: InstructionAccount, program: Address): Extension[] {
  checkLength(account, program, TOKEN_ACCOUNT_BYTES);
  ensure(account.data[TOKEN_ACCOUNT_OFFSETS.state] === 0, TOKEN_ERROR.alreadyInUse);
  try {
    return readExtensions(
      'TokenAccount',
      { owner: program, data: account.data },
      TOKEN_ACCOUNT_BYTES,
      UNINITIALIZED_TYPE,
    );
  } catch (error) {
    throw error instanceof ProtocolError ? new InstructionError('InvalidAccountData') : error;
  }
}
