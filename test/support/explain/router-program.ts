import type { Program } from '@sluice/localnet/runtime/program';
import { PROGRAMS } from '@sluice/localnet/runtime/programs';
import { NATIVE_LOADER } from '@sluice/protocol/program-ids';
import { AccountRole, type Address, address, type Instruction } from '@solana/kit';
import type { ActingApp } from '../apps/acting-app.ts';

/** A program that no gateway knows. It calls the program of its first account with its other accounts and its data. */
const ROUTER = address('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4');

const router: Program = {
  address: ROUTER,
  run({ accounts: [target, ...accounts], data, invoke }) {
    if (target === undefined) throw new RangeError('the router needs a program to call');
    invoke({
      programAddress: target.address,
      accounts: accounts.map((each) => ({ address: each.address, role: roleOf(each) })),
      data,
    });
  },
};

function roleOf({ isSigner, isWritable }: { readonly isSigner: boolean; readonly isWritable: boolean }) {
  if (isSigner) return isWritable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER;
  return isWritable ? AccountRole.WRITABLE : AccountRole.READONLY;
}

/** Deploys the router on the localnet of this process; call the result to remove it. */
export function deployRouter({ localnet }: ActingApp): { readonly address: Address; remove(): void } {
  const programs = PROGRAMS as Map<Address, Program>;
  programs.set(ROUTER, router);
  localnet.chain.world.store.add({
    address: ROUTER,
    owner: NATIVE_LOADER,
    executable: true,
    encode: () => new Uint8Array(36),
  });
  return { address: ROUTER, remove: () => void programs.delete(ROUTER) };
}

/** The instruction, called by the router. */
export const routed = ({ programAddress, accounts = [], data }: Instruction): Instruction => ({
  programAddress: ROUTER,
  accounts: [{ address: programAddress, role: AccountRole.READONLY }, ...accounts],
  ...(data && { data }),
});
