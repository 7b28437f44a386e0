import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { textBytes } from '@sluice/protocol/layout/codec';
import type { Address } from '@solana/kit';
import {
  accountIn,
  type TestChain,
  withFields,
} from '../../../packages/localnet/test/support/chain/test-world.ts';

const NAME_BYTES = 40;

/** Gives a vault of the world another name, of at most 40 bytes; returns the mint of its shares. */
export function renameVault(localChain: TestChain, index: number, text: string): Address {
  const vault = localChain.worldChain.world.vaults[index];
  if (vault === undefined) throw new Error(`the world has no vault ${index}`);
  const name = new Uint8Array(NAME_BYTES);
  name.set(textBytes(text));
  localChain.place(vault.address, withFields(vaultState, accountIn(localChain, vault.address), { name }));
  return vault.sharesMint.address;
}
