import { encodeNonceAccount } from '@sluice/protocol/system/nonce-account';
import { nativeInstruction } from '../native.ts';
import { invalidState, mustSign, nonceOf } from './nonce-state.ts';

const ACTION = 'Authorize';

export const authorizeNonceAccount = nativeInstruction(
  7,
  1,
  (reader) => ({ authority: reader.address() }),
  (call) => {
    const nonce = nonceOf(ACTION, call) ?? invalidState(ACTION, call);
    mustSign(ACTION, nonce.authority, call);
    call.account(0).write(encodeNonceAccount({ ...nonce, authority: call.args.authority }));
  },
);
