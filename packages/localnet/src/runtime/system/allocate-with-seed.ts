import { nativeInstruction } from '../native.ts';
import { allocateSpace, assignOwner } from './allocation.ts';
import { checkSeedAddress, seedAddress } from './seed-address.ts';

export const allocateWithSeed = nativeInstruction(
  9,
  1,
  (reader) => ({
    base: reader.address(),
    seed: reader.text(),
    space: reader.u64(),
    owner: reader.address(),
  }),
  ({ invocation, args: { base, seed, space, owner }, account, hasSigned }) => {
    const subject = account(0);
    checkSeedAddress(invocation, 'Create: address', subject.address, seedAddress(base, seed, owner));
    allocateSpace(invocation, subject, space, hasSigned(base));
    assignOwner(invocation, subject, owner, hasSigned(base));
  },
);
