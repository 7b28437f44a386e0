import type { Address } from '@solana/kit';
import { vaultState } from '../../../src/programs/kvault/vault-state.ts';
import { textBytes } from '../../../src/programs/layout/codec.ts';
import { accountIn, type TestLedger, withFields } from './test-ledger.ts';

const NAME_BYTES = 40;

/** Gives a vault of the world another name, of at most 40 bytes; returns the mint of its shares. */
export function renameVault(ledger: TestLedger, index: number, text: string): Address {
  const vault = ledger.demo.world.vaults[index];
  if (vault === undefined) throw new Error(`the world has no vault ${index}`);
  const name = new Uint8Array(NAME_BYTES);
  name.set(textBytes(text));
  ledger.place(vault.address, withFields(vaultState, accountIn(ledger, vault.address), { name }));
  return vault.sharesMint.address;
}
