import { nativeInstruction } from '../native.ts';
import { openAccount } from './allocation.ts';
import { sendLamports } from './lamports.ts';

export const createAccount = nativeInstruction(
  0,
  2,
  (reader) => ({ lamports: reader.u64(), space: reader.u64(), owner: reader.address() }),
  ({ invocation, args: { lamports, space, owner }, account }) => {
    const [from, to] = [account(0), account(1)];
    openAccount(invocation, to, space, owner, to.isSigner);
    sendLamports(invocation, from, to, lamports);
  },
);
