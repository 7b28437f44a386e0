import { nativeInstruction } from '../native.ts';
import { assignOwner } from './allocation.ts';
import { checkSeedAddress, seedAddress } from './seed-address.ts';

export const assignWithSeed = nativeInstruction(
  10,
  1,
  (reader) => ({ base: reader.address(), seed: reader.text(), owner: reader.address() }),
  ({ invocation, args: { base, seed, owner }, account, hasSigned }) => {
    const subject = account(0);
    checkSeedAddress(invocation, 'Create: address', subject.address, seedAddress(base, seed, owner));
    assignOwner(invocation, subject, owner, hasSigned(base));
  },
);
