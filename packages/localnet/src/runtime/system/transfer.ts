import { nativeInstruction } from '../native.ts';
import { sendLamports } from './lamports.ts';

export const transfer = nativeInstruction(
  2,
  2,
  (reader) => ({ lamports: reader.u64() }),
  ({ invocation, args: { lamports }, account }) => {
    sendLamports(invocation, account(0), account(1), lamports);
  },
);
