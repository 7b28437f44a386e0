import { createKeyPairSignerFromBytes, signBytes, verifySignature } from '@solana/kit';
import { expect, it } from 'vitest';
import { labelledKeyPair } from '../src/world/key-pair.ts';
import { createWorldChain } from '../src/world/world-chain.ts';
import { worldWalletKey } from '../src/world/world-wallet.ts';

it('gives the localnet wallet a key that signs for its address', async () => {
  const { addresses, world } = createWorldChain({ scale: 1, now: () => Date.UTC(2026, 5, 3) });
  const { secretKey } = worldWalletKey(world.seed);
  // Fails unless the public half belongs to the private one.
  const signer = await createKeyPairSignerFromBytes(secretKey);
  expect(signer.address).toBe(addresses.wallet);
  const message = new TextEncoder().encode('hello');
  const signature = await signBytes(signer.keyPair.privateKey, message);
  expect(await verifySignature(signer.keyPair.publicKey, signature, message)).toBe(true);
});

it('derives a key from its labels alone', () => {
  const addressOf = (...labels: string[]) => labelledKeyPair(...labels).address;
  expect(addressOf('a', 'x')).toBe(addressOf('a', 'x'));
  expect(new Set([addressOf('a', 'x'), addressOf('a', 'y'), addressOf('b', 'x')]).size).toBe(3);
});
