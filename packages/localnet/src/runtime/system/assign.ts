import { nativeInstruction } from '../native.ts';
import { assignOwner } from './allocation.ts';

export const assign = nativeInstruction(
  1,
  1,
  (reader) => ({ owner: reader.address() }),
  ({ invocation, args: { owner }, account }) => {
    const subject = account(0);
    assignOwner(invocation, subject, owner, subject.isSigner);
  },
);
