import { encodeProgramDataHeader, programDataAddress } from '@sluice/protocol/loader/program-data';
import type { Address } from '@solana/kit';
import { accountIn, type TestChain } from '../../../packages/localnet/test/support/chain/test-world.ts';

/** Deploys a program of the chain again, at a slot. */
export function redeploy(localChain: TestChain, program: Address, slot: bigint): void {
  const address = programDataAddress(program);
  localChain.place(address, { ...accountIn(localChain, address), data: encodeProgramDataHeader(slot) });
}
