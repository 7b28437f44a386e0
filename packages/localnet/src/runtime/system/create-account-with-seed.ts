import { nativeInstruction } from '../native.ts';
import { openAccount } from './allocation.ts';
import { sendLamports } from './lamports.ts';
import { checkSeedAddress, seedAddress } from './seed-address.ts';

export const createAccountWithSeed = nativeInstruction(
  3,
  2,
  (reader) => ({
    base: reader.address(),
    seed: reader.text(),
    lamports: reader.u64(),
    space: reader.u64(),
    owner: reader.address(),
  }),
  ({ invocation, args: { base, seed, lamports, space, owner }, account, hasSigned }) => {
    const [from, to] = [account(0), account(1)];
    checkSeedAddress(invocation, 'Create: address', to.address, seedAddress(base, seed, owner));
    openAccount(invocation, to, space, owner, hasSigned(base));
    sendLamports(invocation, from, to, lamports);
  },
);
