import { createKeyPairSignerFromBytes, signBytes, verifySignature } from '@solana/kit';
import { expect, it } from 'vitest';
import { createDemoLedger } from '../../src/demo/world/demo-ledger.ts';
import { demoWalletKey } from '../../src/demo/world/demo-wallet.ts';
import { walletKey } from '../../src/demo/world/wallet-key.ts';

it('gives the demo wallet a key that signs for its address', async () => {
  const { addresses, world } = createDemoLedger({ scale: 1, now: () => Date.UTC(2026, 5, 3) });
  const { secretKey } = demoWalletKey(world.seed);
  // Fails unless the public half belongs to the private one.
  const signer = await createKeyPairSignerFromBytes(secretKey);
  expect(signer.address).toBe(addresses.wallet);
  const message = new TextEncoder().encode('hello');
  const signature = await signBytes(signer.keyPair.privateKey, message);
  expect(await verifySignature(signer.keyPair.publicKey, signature, message)).toBe(true);
});

it('derives a key from seed and label alone', () => {
  expect(walletKey('a', 'x')).toEqual(walletKey('a', 'x'));
  const addresses = [walletKey('a', 'x'), walletKey('a', 'y'), walletKey('b', 'x')].map((key) => key.address);
  expect(new Set(addresses).size).toBe(3);
});
