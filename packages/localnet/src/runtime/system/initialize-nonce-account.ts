import { encodeNonceAccount } from '@sluice/protocol/system/nonce-account';
import { rentLamports } from '../account-store.ts';
import { customError, InstructionError } from '../instruction-error.ts';
import { failWith, nativeInstruction } from '../native.ts';
import { durableNonceOf } from './durable-nonce.ts';
import { SYSTEM_ERRORS } from './errors.ts';
import { checkRentSysvar, invalidState, nonceOf, recentBlockhash } from './nonce-state.ts';

const ACTION = 'Initialize';

export const initializeNonceAccount = nativeInstruction(
  6,
  1,
  (reader) => ({ authority: reader.address() }),
  (call) => {
    const { invocation, args, account } = call;
    const subject = account(0);
    const recent = recentBlockhash(account(1));
    if (recent === null) {
      const message = `${ACTION} nonce account: recent blockhash list is empty`;
      failWith(invocation, message, customError(SYSTEM_ERRORS.nonceNoRecentBlockhashes));
    }
    checkRentSysvar(account(2));
    if (nonceOf(ACTION, call) !== null) invalidState(ACTION, call);
    const minimum = rentLamports(subject.data.length);
    if (subject.lamports < minimum) {
      const message = `${ACTION} nonce account: insufficient lamports ${subject.lamports}, need ${minimum}`;
      failWith(invocation, message, new InstructionError('InsufficientFunds'));
    }
    subject.write(
      encodeNonceAccount({
        authority: args.authority,
        durableNonce: durableNonceOf(recent.blockhash),
        lamportsPerSignature: recent.lamportsPerSignature,
      }),
    );
  },
);
