import { InstructionError } from '../instruction-error.ts';
import { failWith, nativeInstruction } from '../native.ts';
import { moveLamports } from './lamports.ts';
import { checkSeedAddress, seedAddress } from './seed-address.ts';

export const transferWithSeed = nativeInstruction(
  11,
  3,
  (reader) => ({ lamports: reader.u64(), seed: reader.text(), owner: reader.address() }),
  ({ invocation, args: { lamports, seed, owner }, account }) => {
    const [from, base, to] = [account(0), account(1), account(2)];
    if (!base.isSigner) {
      const message = `Transfer: 'from' account ${base.address} must sign`;
      failWith(invocation, message, new InstructionError('MissingRequiredSignature'));
    }
    const derived = seedAddress(base.address, seed, owner);
    checkSeedAddress(invocation, "Transfer: 'from' address", from.address, derived);
    moveLamports(invocation, from, to, lamports);
  },
);
