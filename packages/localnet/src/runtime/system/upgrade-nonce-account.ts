import { SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { decodeLegacyNonceAccount, encodeNonceAccount } from '@sluice/protocol/system/nonce-account';
import { InstructionError } from '../instruction-error.ts';
import { nativeInstruction } from '../native.ts';
import { durableNonceOf } from './durable-nonce.ts';

/** Turns a nonce of the first version, which is a plain blockhash, into a durable one. Anybody may. */
export const upgradeNonceAccount = nativeInstruction(
  12,
  1,
  () => null,
  ({ account }) => {
    const subject = account(0);
    if (subject.owner !== SYSTEM_PROGRAM) throw new InstructionError('InvalidAccountOwner');
    if (!subject.isWritable) throw new InstructionError('InvalidArgument');
    const nonce = decodeLegacyNonceAccount(subject.data);
    if (nonce === undefined) throw new InstructionError('InvalidAccountData');
    if (nonce === null) throw new InstructionError('InvalidArgument');
    subject.write(encodeNonceAccount({ ...nonce, durableNonce: durableNonceOf(nonce.durableNonce) }));
  },
);
