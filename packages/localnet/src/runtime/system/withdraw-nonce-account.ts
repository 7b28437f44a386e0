import { encodeNonceAccount } from '@sluice/protocol/system/nonce-account';
import { rentLamports } from '../account-store.ts';
import { customError, InstructionError } from '../instruction-error.ts';
import { failWith, nativeInstruction } from '../native.ts';
import { durableNonceOf } from './durable-nonce.ts';
import { SYSTEM_ERRORS } from './errors.ts';
import { checkRentSysvar, mustSign, nonceOf, recentBlockhash } from './nonce-state.ts';

const ACTION = 'Withdraw';

/** Takes lamports from a nonce account; taking all of them ends it. */
export const withdrawNonceAccount = nativeInstruction(
  5,
  2,
  (reader) => ({ lamports: reader.u64() }),
  (call) => {
    const { invocation, args, account } = call;
    const subject = account(0);
    const recent = recentBlockhash(account(2));
    checkRentSysvar(account(3));
    const nonce = nonceOf(ACTION, call);
    const takesAll = args.lamports === subject.lamports;
    const isUsed =
      nonce !== null && recent !== null && nonce.durableNonce === durableNonceOf(recent.blockhash);
    if (takesAll && isUsed) {
      const message = `${ACTION} nonce account: nonce can only advance once per slot`;
      failWith(invocation, message, customError(SYSTEM_ERRORS.nonceBlockhashNotExpired));
    }
    const needed = args.lamports + (nonce === null || takesAll ? 0n : rentLamports(subject.data.length));
    if (needed > subject.lamports) {
      const message = `${ACTION} nonce account: insufficient lamports ${subject.lamports}, need ${needed}`;
      failWith(invocation, message, new InstructionError('InsufficientFunds'));
    }
    mustSign(ACTION, nonce?.authority ?? subject.address, call);
    if (nonce !== null && takesAll) subject.write(encodeNonceAccount(null));
    subject.takeLamports(args.lamports);
    account(1).addLamports(args.lamports);
  },
);
