import { nativeInstruction } from '../native.ts';
import { allocateSpace } from './allocation.ts';

export const allocate = nativeInstruction(
  8,
  1,
  (reader) => ({ space: reader.u64() }),
  ({ invocation, args: { space }, account }) => {
    const subject = account(0);
    allocateSpace(invocation, subject, space, subject.isSigner);
  },
);
