import { encodeNonceAccount } from '@sluice/protocol/system/nonce-account';
import { customError } from '../instruction-error.ts';
import { failWith, nativeInstruction } from '../native.ts';
import { durableNonceOf } from './durable-nonce.ts';
import { SYSTEM_ERRORS } from './errors.ts';
import { invalidState, mustSign, nonceOf, recentBlockhash } from './nonce-state.ts';

const ACTION = 'Advance';

export const advanceNonceAccount = nativeInstruction(
  4,
  1,
  () => null,
  (call) => {
    const { invocation, account } = call;
    const recent = recentBlockhash(account(1));
    if (recent === null) {
      const message = `${ACTION} nonce account: recent blockhash list is empty`;
      failWith(invocation, message, customError(SYSTEM_ERRORS.nonceNoRecentBlockhashes));
    }
    const nonce = nonceOf(ACTION, call) ?? invalidState(ACTION, call);
    mustSign(ACTION, nonce.authority, call);
    const durableNonce = durableNonceOf(recent.blockhash);
    if (nonce.durableNonce === durableNonce) {
      const message = `${ACTION} nonce account: nonce can only advance once per slot`;
      failWith(invocation, message, customError(SYSTEM_ERRORS.nonceBlockhashNotExpired));
    }
    const { lamportsPerSignature } = recent;
    account(0).write(encodeNonceAccount({ authority: nonce.authority, durableNonce, lamportsPerSignature }));
  },
);
